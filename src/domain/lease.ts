/** What one process at a time may do. */
export interface Lease {
  /**
   * Strives for it from now on, also after it was lost.
   *
   * @param taken is called at every take-over
   */
  strive(taken: () => void): void;
  /** Greater at every take-over; undefined where this process does not certainly hold it at this moment. */
  epoch(): number | undefined;
  /** Gives it back for lack of what it takes to use it, and leaves it to others for some seconds. */
  decline(): Promise<void>;
}
