import { isWire, type Wire } from '../../../domain/read.ts';
import { isAddress } from '../../address.ts';
import { own } from '../../payment-text.ts';
import type { ChannelConfig, ChannelPayment, Deposit, Voucher } from './channel.ts';
import { WITHDRAW_DELAY } from './contract.ts';

const DECIMAL = /^(?:0|[1-9]\d{0,38})$/;
const LARGEST = 2n ** 128n - 1n;
const WORD = /^0x[0-9a-fA-F]{64}$/;
/** Unix seconds; what has more digits lies past all bounds. */
const SECONDS = /^(?:0|[1-9]\d{0,15})$/;
/** A plain key's signature. A contract wallet signs in forms of its own, which are not taken. */
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

/**
 * The payment of a payload of the type `voucher` or `deposit`, in canonical form; undefined where it is none. The channel's
 * id is not yet compared with its terms.
 */
export function readChannelPayment(payload: Wire): ChannelPayment | undefined {
  const type = own(payload, 'type');
  const config = readConfig(own(payload, 'channelConfig'));
  const voucher = readVoucher(own(payload, 'voucher'));
  if (config === undefined || voucher === undefined) return undefined;
  if (type === 'voucher') return { config, voucher, deposit: undefined };
  const deposit = type === 'deposit' ? readDeposit(own(payload, 'deposit')) : undefined;
  return deposit && { config, voucher, deposit };
}

/** A buyer's request for what is left in its channel. */
export interface RefundRequest extends Pick<ChannelPayment, 'config' | 'voucher'> {
  /** Atomic units; undefined: all of it. */
  readonly amount: string | undefined;
}

/** The request of a payload of the type `refund`, in canonical form; undefined where it is none. Its voucher charges nothing. */
export function readRefundRequest(payload: Wire): RefundRequest | undefined {
  if (own(payload, 'type') !== 'refund') return undefined;
  const config = readConfig(own(payload, 'channelConfig'));
  const voucher = readVoucher(own(payload, 'voucher'), readTotal);
  const isPartial = Object.hasOwn(payload, 'amount');
  const amount = isPartial ? readAmount(payload, 'amount') : undefined;
  if (config === undefined || voucher === undefined || (isPartial && amount === undefined)) return undefined;
  return { config, voucher, amount };
}

function readConfig(value: unknown): ChannelConfig | undefined {
  if (!isWire(value)) return undefined;
  const payer = readAddress(value, 'payer');
  const payerAuthorizer = readAddress(value, 'payerAuthorizer');
  const receiver = readAddress(value, 'receiver');
  const receiverAuthorizer = readAddress(value, 'receiverAuthorizer');
  const token = readAddress(value, 'token');
  const withdrawDelay = own(value, 'withdrawDelay');
  const salt = readMatch(value, 'salt', WORD);
  if (payer === undefined || payerAuthorizer === undefined || receiver === undefined) return undefined;
  if (receiverAuthorizer === undefined || token === undefined || salt === undefined) return undefined;
  if (typeof withdrawDelay !== 'number' || !Number.isInteger(withdrawDelay)) return undefined;
  if (withdrawDelay < WITHDRAW_DELAY.least || withdrawDelay > WITHDRAW_DELAY.most) return undefined;
  return { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt };
}

function readVoucher(value: unknown, readSum = readAmount): Voucher | undefined {
  if (!isWire(value)) return undefined;
  const channelId = readMatch(value, 'channelId', WORD);
  const total = readSum(value, 'maxClaimableAmount');
  const signature = readSignature(value);
  if (channelId === undefined || total === undefined || signature === undefined) return undefined;
  return { channelId, total, signature };
}

function readDeposit(value: unknown): Deposit | undefined {
  if (!isWire(value)) return undefined;
  const amount = readAmount(value, 'amount');
  const ways = own(value, 'authorization');
  const signed = isWire(ways) ? own(ways, 'erc3009Authorization') : undefined;
  if (!isWire(signed) || amount === undefined) return undefined;
  const validAfter = readMatch(signed, 'validAfter', SECONDS);
  const validBefore = readMatch(signed, 'validBefore', SECONDS);
  const salt = readMatch(signed, 'salt', WORD);
  const signature = readSignature(signed);
  if (validAfter === undefined || validBefore === undefined) return undefined;
  return salt && signature ? { amount, validAfter, validBefore, salt, signature } : undefined;
}

/** A text of that form, in lower case. */
function readMatch(wire: Wire, name: string, form: RegExp): string | undefined {
  const value = own(wire, name);
  return typeof value === 'string' && form.test(value) ? value.toLowerCase() : undefined;
}

function readAddress(wire: Wire, name: string): string | undefined {
  const value = own(wire, name);
  return isAddress(value) ? value.toLowerCase() : undefined;
}

/** A positive amount that the contract can hold. */
function readAmount(wire: Wire, name: string): string | undefined {
  const text = readTotal(wire, name);
  return text === '0' ? undefined : text;
}

/** The same, or nothing. */
function readTotal(wire: Wire, name: string): string | undefined {
  const text = readMatch(wire, name, DECIMAL);
  return text === undefined || BigInt(text) > LARGEST ? undefined : text;
}

/** 65 bytes, v as the contract takes it: signers that count recovery ids from 0 mean 27 and 28. */
function readSignature(wire: Wire): string | undefined {
  const text = readMatch(wire, 'signature', SIGNATURE);
  if (text?.endsWith('00')) return `${text.slice(0, -2)}1b`;
  return text?.endsWith('01') ? `${text.slice(0, -2)}1c` : text;
}
