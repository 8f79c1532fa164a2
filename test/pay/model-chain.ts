import type { Clock } from '../../src/domain/clock.ts';
import type { Facilitator, SettleOutcome } from '../../src/pay/facilitator.ts';
import type { ProofResult, SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import type { Steps } from './model-steps.ts';

const TRANSACTION = `0x${'cd'.repeat(32)}`;

export type Use = 'unused' | 'paid' | 'cancelled';

/** Authorizations of one payer on a chain: each is used once, cancelled, or neither. */
export class ModelChain {
  readonly #clock: Clock;
  readonly validBefore: number;
  readonly #uses = new Map<string, Use>();
  /** Submitted, and not in a block yet. */
  readonly #waiting = new Set<string>();
  transfers = 0;

  constructor(clock: Clock, validBefore: number) {
    this.#clock = clock;
    this.validBefore = validBefore;
  }

  get now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  /** True if any of them has paid. */
  get isPaid(): boolean {
    return this.transfers > 0;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  useOf(nonce: string): Use {
    return this.#uses.get(nonce) ?? 'unused';
  }

  submit(nonce: string): void {
    this.#waiting.add(nonce);
  }

  /** Puts what was submitted into a block; only the first use in time moves money. */
  mine(): void {
    for (const nonce of this.#waiting) {
      if (this.useOf(nonce) !== 'unused' || this.now >= this.validBefore) continue;
      this.#uses.set(nonce, 'paid');
      this.transfers++;
    }
    this.#waiting.clear();
  }

  cancel(nonce: string): void {
    if (this.useOf(nonce) === 'unused') this.#uses.set(nonce, 'cancelled');
  }
}

/**
 * A facilitator's ways with a settlement. `honest` waits for the block; `timeout` and `pending` submit and do
 * not tell; `lost` never submits; `late_refusal` submits and says refused; `lie` says settled and submits
 * nothing.
 */
export type Behaviour =
  | 'honest'
  | 'timeout'
  | 'lost'
  | 'pending'
  | 'refused'
  | 'late_refusal'
  | 'unsent'
  | 'lie';

export interface ModelFacilitatorOptions {
  readonly name: string;
  readonly steps: Steps;
  readonly actor: string;
  readonly chain: ModelChain;
  /** In order; the last one stays. Shared by all processes. */
  readonly behaviours: Behaviour[];
  /** Facilitators that took a settlement on. */
  readonly took: Set<string>;
}

export function modelFacilitator(options: ModelFacilitatorOptions): Facilitator {
  const { name, steps, actor, chain, behaviours, took } = options;
  return {
    name,
    ok: true,
    probe: async () => {},
    verify: ({ payload: { authorization } }: ExactRequest) =>
      steps.wait(actor, 'verify', () =>
        chain.useOf(authorization.nonce) === 'unused'
          ? { kind: 'valid' }
          : { kind: 'invalid', reason: 'invalid_exact_evm_nonce_already_used' },
      ),
    async settle({ payload }: ExactRequest) {
      const { nonce } = payload.authorization;
      const behaviour = (behaviours.length > 1 ? behaviours.shift() : behaviours[0]) ?? 'honest';
      if (behaviour !== 'unsent') {
        await steps.wait(actor, 'submit', () => {
          took.add(name);
          if (!['lost', 'refused', 'lie'].includes(behaviour)) chain.submit(nonce);
        });
      }
      return steps.wait(actor, 'answer', () => answerOf(behaviour, chain, nonce));
    },
  };
}

const unknown = (reason: string, pending = false): SettleOutcome => ({
  kind: 'unknown',
  reason,
  pending,
  ...(reason === 'TimeoutError' && { failed: true }),
  transaction: pending ? TRANSACTION : undefined,
});

function answerOf(behaviour: Behaviour, chain: ModelChain, nonce: string): SettleOutcome {
  switch (behaviour) {
    case 'honest':
      chain.mine();
      if (chain.useOf(nonce) === 'paid') return { kind: 'settled', transaction: TRANSACTION };
      return chain.useOf(nonce) === 'cancelled'
        ? unknown('invalid_exact_evm_nonce_already_used')
        : { kind: 'refused', reason: 'authorization_valid_before', transaction: undefined };
    case 'lie':
      return { kind: 'settled', transaction: TRANSACTION };
    case 'pending':
      return unknown('settlement_pending', true);
    case 'refused':
    case 'late_refusal':
      return { kind: 'refused', reason: 'insufficient_funds', transaction: undefined };
    case 'unsent':
      return { kind: 'unsent', reason: 'ECONNREFUSED' };
    default:
      return unknown('TimeoutError');
  }
}

/** The chain as a node shows it. */
export function modelProof(steps: Steps, actor: string, chain: ModelChain): SettlementVerifier {
  const seen = (nonce: string): ProofResult => {
    const use = chain.useOf(nonce);
    if (use === 'unused') return { kind: 'unused', chainTime: chain.now };
    return { kind: use === 'paid' ? 'settled' : 'cancelled', transaction: TRANSACTION };
  };
  return { prove: ({ nonce }) => steps.wait(actor, 'prove', () => seen(nonce)) };
}
