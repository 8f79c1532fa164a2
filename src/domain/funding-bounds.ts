import type { Confidence } from './amount.ts';

/** Where a venue publishes the largest and smallest rate that a contract may have, by outside evidence. */
export interface PublishedBounds {
  /** Call and field, or the rule that holds for all contracts; absent where nothing is published, or its unit is not known. */
  readonly field?: string;
  readonly evidence: string;
  readonly confidence: Confidence;
}
