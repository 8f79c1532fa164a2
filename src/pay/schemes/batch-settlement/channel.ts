import type { AuthorizationWindow } from '../authorization-window.ts';

/** The fixed terms of a channel, which are its identity. Addresses and salt are hex in lower case. */
export interface ChannelConfig {
  readonly payer: string;
  /** The key that signs vouchers; of nobody where the payer is asked. */
  readonly payerAuthorizer: string;
  readonly receiver: string;
  /** The key that signs claims and refunds. */
  readonly receiverAuthorizer: string;
  readonly token: string;
  /** Seconds. */
  readonly withdrawDelay: number;
  /** 32 bytes. */
  readonly salt: string;
}

/** The payer lets the receiver claim up to a total, atomic units, over the whole life of a channel. */
export interface Voucher {
  /** 32 bytes in hex, lower case. */
  readonly channelId: string;
  /** Atomic units, decimal text. */
  readonly total: string;
  readonly signature: string;
}

/** An EIP-3009 authorization that brings money into a channel; its nonce follows from the channel and the salt. */
export interface Deposit extends AuthorizationWindow {
  /** Atomic units, decimal text. */
  readonly amount: string;
  /** 32 bytes in hex, lower case. */
  readonly salt: string;
  readonly signature: string;
}

/** All that a buyer signs for one request: a voucher, and a deposit where the channel is new or has too little left. */
export interface ChannelPayment {
  readonly config: ChannelConfig;
  readonly voucher: Voucher;
  readonly deposit: Deposit | undefined;
}

export const isSameConfig = (a: ChannelConfig, b: ChannelConfig): boolean =>
  a.payer === b.payer &&
  a.payerAuthorizer === b.payerAuthorizer &&
  a.receiver === b.receiver &&
  a.receiverAuthorizer === b.receiverAuthorizer &&
  a.token === b.token &&
  a.withdrawDelay === b.withdrawDelay &&
  a.salt === b.salt;

/** The same voucher and the same deposit under the same signatures. The channel's id stands for its terms. */
export function isSameChannelPayment(a: ChannelPayment, b: ChannelPayment): boolean {
  return isSameVoucher(a.voucher, b.voucher) && isSameDeposit(a.deposit, b.deposit);
}

const isSameVoucher = (a: Voucher, b: Voucher): boolean =>
  a.channelId === b.channelId && a.total === b.total && a.signature === b.signature;

function isSameDeposit(a: Deposit | undefined, b: Deposit | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.amount === b.amount &&
    a.validAfter === b.validAfter &&
    a.validBefore === b.validBefore &&
    a.salt === b.salt &&
    a.signature === b.signature
  );
}
