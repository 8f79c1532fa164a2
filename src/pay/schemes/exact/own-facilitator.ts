import type { SelfConfig } from '../../config.ts';
import type { Facilitator } from '../../facilitator.ts';
import type { SignatureFilter } from './signature.ts';

/** A facilitator of our own in this process. */
export interface OwnFacilitator {
  readonly facilitator: Facilitator;
  /** Blocks after which a settlement counts. */
  readonly confirmations: number;
}

/** Opens the facilitator of PAYMENTS_MODE=self. Rejects with what is wrong. */
export type OwnFacilitatorOpener = (
  config: SelfConfig,
  signatures: SignatureFilter,
) => Promise<OwnFacilitator>;
