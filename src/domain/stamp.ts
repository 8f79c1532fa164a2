import type { Confidence } from './amount.ts';

/**
 * The timestamp of a historical row marks the moment of a payment, the beginning or the end of the row's
 * interval, the instant at which its value held, or something that no evidence tells.
 */
export type StampMeaning = 'payment' | 'begin' | 'end' | 'instant' | 'unknown';

/** The meaning of a venue's timestamp, by outside evidence. */
export interface PublishedStamp {
  readonly means: StampMeaning;
  readonly evidence: string;
  readonly confidence: Confidence;
}

/** The stamps of a venue's rows of the past, by what they hold; a kind that the venue has no call for is absent. */
export interface PublishedStamps {
  /** Rates that were paid, or that were in force. */
  readonly funding?: PublishedStamp;
  /** Mark or index. */
  readonly price?: PublishedStamp;
  readonly openInterest?: PublishedStamp;
  /** Volume traded in an hour. */
  readonly volume?: PublishedStamp;
}
