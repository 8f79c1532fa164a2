/** An exclusive lease: at most one process holds it, under an epoch that grows with every take-over. */
export interface Lease {
  /**
   * Asks for it from now on, also after it was lost.
   *
   * @param taken is called at every take-over
   */
  campaign(taken: () => void): void;
  /** Greater at every take-over; undefined where this process does not certainly hold it at this moment. */
  epoch(): number | undefined;
  /** Gives it back for lack of what it takes to use it, and leaves it to others for some seconds. */
  resign(): Promise<void>;
}
