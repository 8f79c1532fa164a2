import type { SelfConfig } from './config.ts';
import type { Facilitator } from './facilitator.ts';
import type { SettlingCalls } from './settling-calls.ts';

/** A facilitator of our own in this process, for one scheme. */
export interface OwnFacilitator {
  readonly facilitator: Facilitator;
  /** Blocks after which a settlement counts. */
  readonly confirmations: number;
}

/** Opens the facilitator of PAYMENTS_MODE=self for a scheme; those of all schemes use one account. Rejects with what is wrong. */
export type OwnFacilitatorOpener = (config: SelfConfig, calls: SettlingCalls) => Promise<OwnFacilitator>;

/** The facilitator of a scheme in the mode `self`. Rejects where the service has none. */
export async function openOwnFacilitator(
  opener: OwnFacilitatorOpener | undefined,
  config: SelfConfig,
  calls: SettlingCalls,
): Promise<OwnFacilitator> {
  if (opener === undefined) throw new Error('PAYMENTS_MODE=self without a facilitator of our own');
  return opener(config, calls);
}
