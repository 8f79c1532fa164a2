/** A header that a module's seam of sales adds to every sold answer (`ShownReceipts.headers`). */
export interface SoldHeader {
  /** As documents write it. */
  readonly name: string;
  /** Its name among the headers that operations of the OpenAPI document share. */
  readonly component: string;
  readonly description: string;
  /** A sentence for agents about its use. */
  readonly words: string;
}
