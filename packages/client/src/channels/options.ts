import type { Eip1193Provider } from '../eip1193-signer.ts';
import type { Signer } from '../payment.ts';

/** A key that signs vouchers and requests for refunds in the payer's place: it can spend what is in its channels, and nothing else. */
export interface VoucherKey extends Signer {
  readonly address: string;
}

/** Payments by channel. */
export interface ChannelOptions {
  /**
   * Most money of the payer that may lie unspent in all channels of the store, USD as decimal text. It is never above what the caps of the day
   * and in all have left, which bound it alone by default.
   */
  readonly maxDepositUsd?: string | undefined;
  /** Calls that a deposit is to pay for; by default as many as the seller proposes, up to a hundred, else twenty. */
  readonly calls?: number | undefined;
  /** The call at one seller within a day that opens a channel; default 3, the earliest that can pay. */
  readonly fromCall?: number | undefined;
  /** A channel whose withdrawal takes longer is not opened, seconds; default a week. */
  readonly maxWithdrawDelaySeconds?: number | undefined;
  /** A node, or a wallet, that reads a lost channel from the chain; without it the seller alone is asked. */
  readonly chain?: Eip1193Provider | undefined;
  /**
   * The key for the channels of a payer (address in lower case), always the same one and kept before it is given: then the payer
   * signs the deposit alone, once. A channel whose key is lost is withdrawn by the payer. By default the payer signs vouchers, too.
   */
  readonly voucherKey?: ((payer: string) => Promise<VoucherKey>) | undefined;
}

/** A channel as its owner sees it; amounts are USD as decimal text. */
export interface ChannelStatus {
  /** 32 bytes in hex. */
  readonly id: string;
  /** CAIP-2. */
  readonly network: string;
  /** Origin of the service at which it pays. */
  readonly origin: string;
  readonly payer: string;
  /** The receiver of the money. */
  readonly seller: string;
  /**
   * closed: its rest was refunded. disputed: the seller claims more than it proves; nothing more is paid by it, and its rest
   * comes back by `closeChannel`.
   */
  readonly state: 'open' | 'closed' | 'disputed';
  /** All that was deposited, less what came back. */
  readonly depositedUsd: string;
  /** Prices of what was bought. */
  readonly spentUsd: string;
  /** The rest, which comes back by a refund or a withdrawal. */
  readonly leftUsd: string;
  /** Seconds between a request to withdraw and the withdrawal. */
  readonly withdrawDelaySeconds: number;
}

/** A transaction that the payer sends itself, as wallets take it. */
export interface WithdrawCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
}

/** The end of a channel. */
export type ClosedChannel =
  /** The seller gave the rest back. */
  | {
      readonly kind: 'refunded';
      readonly id: string;
      readonly refundedUsd: string;
      readonly transaction: string;
    }
  /** Nothing is left in it. */
  | { readonly kind: 'empty'; readonly id: string }
  /**
   * The seller does not refund. The payer sends `initiate`, and after the delay `finalize`: what the seller has not claimed by
   * then comes back.
   */
  | {
      readonly kind: 'withdraw';
      readonly id: string;
      readonly leftUsd: string;
      /** The seller's word, or why there is none. */
      readonly reason: string;
      readonly initiate: WithdrawCall;
      readonly finalize: WithdrawCall;
      readonly delaySeconds: number;
    };

/** A channel with money in it whose key is lost, as the chain has it: the payer withdraws it. */
export interface LostChannel {
  /** 32 bytes in hex. */
  readonly id: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  /** The receiver of the money. */
  readonly seller: string;
  /** The part of the deposit that is not claimed, USD: the seller may still claim the price of what was bought. */
  readonly leftUsd: string;
  /** A withdrawal that was requested; from this time on it can be finished, ms since 1970. */
  readonly withdrawal: { readonly requestedUsd: string; readonly finishFrom: number } | undefined;
  /** All that is left comes back by `initiate`, and after the delay `finalize`. */
  readonly initiate: WithdrawCall;
  readonly finalize: WithdrawCall;
  readonly delaySeconds: number;
}

/** A payer's channels with a seller that the store did not know. */
export interface FoundChannels {
  /** Those whose key is still here: they are in the store again, and pay or are closed as before. */
  readonly recovered: readonly ChannelStatus[];
  readonly lost: readonly LostChannel[];
  /** The blocks that were read, both included. */
  readonly fromBlock: number;
  readonly toBlock: number;
}
