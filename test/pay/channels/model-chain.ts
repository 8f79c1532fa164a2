import type { Clock } from '../../../src/domain/clock.ts';
import { asMs } from '../../../src/domain/units.ts';
import type { SettlementRequest, SettleOutcome, VerifyOutcome } from '../../../src/pay/facilitator.ts';
import type { ChainView } from '../../../src/pay/schemes/batch-settlement/chain-view.ts';
import { type FacilitatorChain, TRANSACTION } from '../model-facilitator.ts';

/** Longer than a request, shorter than any withdrawal. */
const NODE_FAULT_MS = 60_000;
/** Longer than any lease. */
const LONG_LAG_MS = 240_000;
export const WITHDRAW_DELAY_SECONDS = 900;

/** Payloads of the channel scheme, as far as a chain looks at them. */
interface Payload {
  readonly type: string;
  readonly deposit?: {
    readonly amount: string;
    readonly authorization: {
      readonly erc3009Authorization: { readonly salt: string; readonly validBefore: string };
    };
  };
  readonly refundNonce?: string;
  /** Of a refund. */
  readonly amount?: string;
  readonly claims?: readonly {
    readonly voucher: { readonly maxClaimableAmount: string };
    readonly totalClaimed: string;
  }[];
}

type Amounts = Omit<ChainView, 'seenAt'>;

/** A node that shows the chain as it was. */
interface Lag {
  readonly until: number;
  readonly amounts: Amounts;
  /** The process whose node it is; undefined: that of all. */
  readonly actor: string | undefined;
}

/** One channel on a chain, and the node by which it is seen. */
export class ModelChannelChain implements FacilitatorChain<SettlementRequest> {
  balance: bigint;
  claimed = 0n;
  withdrawAt = 0;
  #refundNonce = 0n;
  readonly #clock: Clock;
  readonly #claimedTo: (total: bigint, signed: bigint) => void;
  readonly #deposits = new Set<string>();
  /** Submitted, and not in a block yet. */
  #waiting: Payload[] = [];
  #awayUntil = 0;
  #behind: Lag | undefined;

  /** @param claimedTo told of each claim as it is made */
  constructor(clock: Clock, balance: bigint, claimedTo: (total: bigint, signed: bigint) => void) {
    this.#clock = clock;
    this.balance = balance;
    this.#claimedTo = claimedTo;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  state(): unknown {
    const { until, actor } = this.#behind ?? {};
    return [
      this.#amounts(),
      [...this.#deposits],
      this.#waiting,
      this.#awayUntil,
      until,
      actor,
      this.#behind?.amounts,
    ];
  }

  verify({ payload }: SettlementRequest): VerifyOutcome {
    return this.#deposits.has(saltOf(payload as Payload))
      ? { kind: 'invalid', reason: 'invalid_batch_settlement_evm_deposit_simulation_failed' }
      : { kind: 'valid' };
  }

  submit({ payload }: SettlementRequest): void {
    this.#waiting.push(payload as Payload);
  }

  outcome({ payload }: SettlementRequest): SettleOutcome {
    this.mine();
    return this.#isMade(payload as Payload)
      ? { kind: 'settled', transaction: TRANSACTION }
      : { kind: 'refused', reason: 'transaction_failed', transaction: undefined };
  }

  #isMade(payload: Payload): boolean {
    const { type, claims = [], refundNonce = '' } = payload;
    if (type === 'deposit') return this.#deposits.has(saltOf(payload));
    if (type === 'refund') return BigInt(refundNonce) < this.#refundNonce;
    return claims.every(({ totalClaimed }) => BigInt(totalClaimed) <= this.claimed);
  }

  mine(): void {
    for (const payload of this.#waiting) {
      if (payload.type === 'deposit') this.#deposit(payload);
      for (const claim of payload.claims ?? [])
        this.#claim(BigInt(claim.totalClaimed), BigInt(claim.voucher.maxClaimableAmount));
      if (payload.type === 'refund') this.#refund(payload);
    }
    this.#waiting = [];
  }

  #deposit(payload: Payload): void {
    const salt = saltOf(payload);
    const { deposit } = payload;
    const over = Number(deposit?.authorization.erc3009Authorization.validBefore);
    if (deposit === undefined || this.#deposits.has(salt) || this.#clock.now() >= over * 1_000) return;
    this.#deposits.add(salt);
    this.balance += BigInt(deposit.amount);
  }

  #claim(total: bigint, signed: bigint): void {
    if (total > signed || total > this.balance) return;
    this.#claimedTo(total, signed);
    if (total > this.claimed) this.claimed = total;
  }

  /** Each nonce gives back once, and no more than was not claimed. */
  #refund({ amount = '', refundNonce = '' }: Payload): void {
    if (BigInt(refundNonce) !== this.#refundNonce) return;
    this.#refundNonce++;
    const left = this.balance - this.claimed;
    this.balance -= BigInt(amount) < left ? BigInt(amount) : left;
    this.withdrawAt = 0;
  }

  requestWithdrawal(): void {
    this.withdrawAt = Math.floor(this.#clock.now() / 1_000) + WITHDRAW_DELAY_SECONDS;
  }

  /** All that was not claimed goes back, where it was asked for long enough ago. */
  finishWithdrawal(): void {
    if (this.withdrawAt === 0 || this.#clock.now() < this.withdrawAt * 1_000) return;
    this.balance = this.claimed;
    this.withdrawAt = 0;
  }

  /** The node does not answer for a while. */
  goAway(): void {
    this.#awayUntil = this.#clock.now() + NODE_FAULT_MS;
  }

  /** The node shows the chain as it is now for a while; of one process alone for longer. */
  fallBehind(actor?: string): void {
    const until = this.#clock.now() + (actor === undefined ? NODE_FAULT_MS : LONG_LAG_MS);
    this.#behind = { until, amounts: this.#amounts(), actor };
  }

  /** The word of the node of a process. Throws while it is away. */
  seen(actor: string): Amounts {
    const now = this.#clock.now();
    if (now < this.#awayUntil) throw new Error('eth_call: away');
    const { until = 0, amounts, actor: lags = actor } = this.#behind ?? {};
    return amounts !== undefined && now < until && lags === actor ? amounts : this.#amounts();
  }

  #amounts(): Amounts {
    const { balance, claimed, withdrawAt } = this;
    const refundNonce = this.#refundNonce.toString();
    const blockAt = asMs(Math.floor(this.#clock.now() / 1_000) * 1_000);
    return { balance: balance.toString(), claimed: claimed.toString(), withdrawAt, refundNonce, blockAt };
  }
}

const saltOf = ({ deposit }: Payload): string => deposit?.authorization.erc3009Authorization.salt ?? '';
