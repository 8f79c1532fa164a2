import type { Confidence } from './amount.ts';

/**
 * What the stamp of a row of a venue's past marks: the moment of a payment, the beginning or the end of the interval that
 * the row is of, the instant at which its value held, or what no evidence tells.
 */
export type StampMeaning = 'payment' | 'begin' | 'end' | 'instant' | 'unknown';

/** What a venue's stamp means, by outside evidence. */
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
  /** What was traded in an hour. */
  readonly volume?: PublishedStamp;
}
