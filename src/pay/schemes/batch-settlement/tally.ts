import type { SettleOutcome } from '../../facilitator.ts';
import type { Correction, SchemeCounter } from '../../scheme.ts';

const OUTCOMES: readonly SettleOutcome['kind'][] = ['settled', 'refused', 'unsent', 'unknown'];

/** Counts of the scheme since the start of the process. */
export class ChannelTally {
  readonly #claims = new Map<string, number>(OUTCOMES.map((kind) => [kind, 0]));
  readonly #refunds = new Map<string, number>(OUTCOMES.map((kind) => [kind, 0]));
  readonly #corrections = new Map<string, number>([
    ['voucher', 0],
    ['none', 0],
  ]);

  /** For the metrics of the service. */
  readonly counters: readonly SchemeCounter[] = [
    {
      name: 'channel_claims_total',
      help: 'Requests to claim channels, many in each, by how they ended; unknown: the chain is asked again.',
      label: 'outcome',
      counts: this.#claims,
    },
    {
      name: 'channel_refunds_total',
      help: 'Requests to give money back to buyers, by how they ended.',
      label: 'outcome',
      counts: this.#refunds,
    },
    {
      name: 'channel_corrections_total',
      help: 'Vouchers whose total does not follow: refused with what was charged, and the voucher that proves it or none.',
      label: 'proof',
      counts: this.#corrections,
    },
  ];

  /** A request to a facilitator has ended. */
  ended(request: 'claim' | 'refund', { kind }: SettleOutcome): void {
    const counts = request === 'claim' ? this.#claims : this.#refunds;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  corrected({ extra }: Correction): void {
    const proof = 'voucherState' in extra ? 'voucher' : 'none';
    this.#corrections.set(proof, (this.#corrections.get(proof) ?? 0) + 1);
  }
}
