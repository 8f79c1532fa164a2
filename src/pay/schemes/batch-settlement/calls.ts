import {
  type AbiPart,
  addressWord,
  behindHeads,
  bytesArgument,
  encodeArguments,
  selectorOf,
  uintWord,
} from '../../abi.ts';
import type { ChannelConfig } from './channel.ts';
import { DEPOSIT_COLLECTOR } from './contract.ts';
import { configWords } from './digests.ts';
import type { DepositPayload } from './wire.ts';

/** One channel of a claim, as facilitators take it. */
export interface ClaimRow {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: string };
  readonly signature: string;
  readonly totalClaimed: string;
}

/** Claims of channels, with the signature of their one authorizer. */
interface ClaimPayload {
  readonly type: 'claim';
  readonly claims: readonly ClaimRow[];
  readonly claimAuthorizerSignature: string;
}

interface SettlePayload {
  readonly type: 'settle';
  readonly receiver: string;
  readonly token: string;
}

/** Gives money back, after claims where there are some. */
interface RefundPayload {
  readonly type: 'refund';
  readonly channelConfig: ChannelConfig;
  readonly amount: string;
  readonly refundNonce: string;
  readonly claims: readonly ClaimRow[];
  readonly refundAuthorizerSignature: string;
  readonly claimAuthorizerSignature?: string;
}

/** The payloads that a facilitator is asked to settle. */
export type ChannelCallPayload = DepositPayload | ClaimPayload | SettlePayload | RefundPayload;

const CONFIG = '(address,address,address,address,address,uint40,bytes32)';
const DEPOSIT = selectorOf(`deposit(${CONFIG},uint128,address,bytes)`);
const CLAIM = selectorOf(`claimWithSignature(((${CONFIG},uint128),bytes,uint128)[],bytes)`);
const SETTLE = selectorOf('settle(address,address)');
const REFUND = selectorOf(`refundWithSignature(${CONFIG},uint128,uint256,bytes)`);
const MULTICALL = selectorOf('multicall(bytes[])');

/** The call of the contract that does what a payload asks for. */
export function channelCall(payload: ChannelCallPayload): `0x${string}` {
  switch (payload.type) {
    case 'deposit':
      return depositCall(payload);
    case 'claim':
      return claimCall(payload.claims, payload.claimAuthorizerSignature);
    case 'settle':
      return call(SETTLE, [addressWord(payload.receiver), addressWord(payload.token)]);
    case 'refund':
      return refundCall(payload);
  }
}

const call = (method: string, parts: readonly AbiPart[]): `0x${string}` =>
  `0x${method.slice(2)}${encodeArguments(parts)}`;

const amountWord = (amount: string): string => uintWord(BigInt(amount));

/** The collector takes times, salt and signature of the authorization as one argument. */
function depositCall({ channelConfig, deposit }: DepositPayload): `0x${string}` {
  const { validAfter, validBefore, salt, signature } = deposit.authorization.erc3009Authorization;
  const collected = encodeArguments([
    amountWord(validAfter),
    amountWord(validBefore),
    salt.slice(2),
    bytesArgument(signature.slice(2)),
  ]);
  return call(DEPOSIT, [
    ...configWords(channelConfig),
    amountWord(deposit.amount),
    addressWord(DEPOSIT_COLLECTOR),
    bytesArgument(collected),
  ]);
}

function claimCall(claims: readonly ClaimRow[], signature: string): `0x${string}` {
  const rows = claims.map(({ voucher, signature: signed, totalClaimed }) =>
    behindHeads(
      encodeArguments([
        ...configWords(voucher.channel),
        amountWord(voucher.maxClaimableAmount),
        bytesArgument(signed.slice(2)),
        amountWord(totalClaimed),
      ]),
    ),
  );
  return call(CLAIM, [arrayArgument(rows), bytesArgument(signature.slice(2))]);
}

function refundCall(payload: RefundPayload): `0x${string}` {
  const { channelConfig, amount, refundNonce, refundAuthorizerSignature, claims } = payload;
  const refund = call(REFUND, [
    ...configWords(channelConfig),
    amountWord(amount),
    amountWord(refundNonce),
    bytesArgument(refundAuthorizerSignature.slice(2)),
  ]);
  if (claims.length === 0) return refund;
  const claim = claimCall(claims, payload.claimAuthorizerSignature ?? '0x');
  return call(MULTICALL, [arrayArgument([claim, refund].map((each) => bytesArgument(each.slice(2))))]);
}

const arrayArgument = (items: readonly AbiPart[]): AbiPart =>
  behindHeads(uintWord(BigInt(items.length)) + encodeArguments(items));
