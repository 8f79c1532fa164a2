/** The text about an error beside the detail of one failure. */
export interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  /** The client's remedy. */
  readonly remedy: string;
  /** False if nothing was charged for the request; null while that is not known yet. */
  readonly charged: false | null;
}
