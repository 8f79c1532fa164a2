import type { Wire } from '../domain/read.ts';
import type { SettlementRequest } from './facilitator.ts';
import type { RevertKind } from './revert.ts';
import type { Rpc } from './rpc.ts';

/** A call of a contract that settles what was asked. */
export interface SettlingCall {
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  /** Unix ms: from then on the call changes nothing, or need not be made any more. */
  readonly uselessAt: number;
  /** True if the receipt of a transaction that was not reverted shows that what was asked is done. */
  isDoneBy(receipt: Wire): boolean;
}

/** A scheme on the chain, for a process that settles by its own transactions. */
export interface SettlingCalls {
  /** Contracts without which nothing can be settled. */
  readonly contracts: readonly string[];
  /** The facilitator's word for each refusal of a contract. */
  readonly reasons: Readonly<Record<RevertKind, string>>;
  /** The fault of a payment that its call would not show. Rejects with RpcError. */
  fault?(request: SettlementRequest, rpc: Rpc): Promise<string | undefined>;
  callOf(request: SettlementRequest): SettlingCall;
}
