import type { Clock } from '../../src/domain/clock.ts';
import type { SettleOutcome } from '../../src/pay/facilitator.ts';
import type { ProofResult, SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import type { ExactRequest } from '../../src/pay/schemes/exact/request.ts';
import { type FacilitatorChain, TRANSACTION, unknownOutcome } from './model-facilitator.ts';
import type { Steps } from './model-steps.ts';

export type Use = 'unused' | 'paid' | 'cancelled';

/** Authorizations of one payer on a chain: each is used once, cancelled, or neither. */
export class ModelChain implements FacilitatorChain<ExactRequest> {
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

  state(): unknown {
    return [[...this.#uses], [...this.#waiting], this.transfers];
  }

  useOf(nonce: string): Use {
    return this.#uses.get(nonce) ?? 'unused';
  }

  verify({ payload: { authorization } }: ExactRequest) {
    return this.useOf(authorization.nonce) === 'unused'
      ? ({ kind: 'valid' } as const)
      : ({ kind: 'invalid', reason: 'invalid_exact_evm_nonce_already_used' } as const);
  }

  submit({ payload: { authorization } }: ExactRequest): void {
    this.submitNonce(authorization.nonce);
  }

  submitNonce(nonce: string): void {
    this.#waiting.add(nonce);
  }

  outcome({ payload: { authorization } }: ExactRequest): SettleOutcome {
    this.mine();
    const use = this.useOf(authorization.nonce);
    if (use === 'paid') return { kind: 'settled', transaction: TRANSACTION };
    return use === 'cancelled'
      ? unknownOutcome('invalid_exact_evm_nonce_already_used')
      : { kind: 'refused', reason: 'authorization_valid_before', transaction: undefined };
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

/** The chain as a node shows it. */
export function modelProof(steps: Steps, actor: string, chain: ModelChain): SettlementVerifier {
  const seen = (nonce: string): ProofResult => {
    const use = chain.useOf(nonce);
    if (use === 'unused') return { kind: 'unused', chainTime: chain.now };
    return { kind: use === 'paid' ? 'settled' : 'cancelled', transaction: TRANSACTION };
  };
  return { prove: ({ nonce }) => steps.wait(actor, 'prove', () => seen(nonce)) };
}
