/** What is said of an error beside the detail of one failure. */
export interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  /** What the client can do. */
  readonly remedy: string;
  /** Whether anything was charged for the request; null where that is not known yet. */
  readonly charged: false | null;
}
