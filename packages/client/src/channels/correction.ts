import { chainIdOf, readChallenge } from '../challenge.ts';
import type { Reply } from '../result.ts';
import type { ChainView } from './chain.ts';
import type { ChannelRecord } from './channel.ts';
import { voucherDigest } from './digests.ts';
import { signerOf } from './secp256k1.ts';
import { decimalOf, SCHEME_NAME } from './terms.ts';

/** The seller's words for a total that does not follow. */
const OUT_OF_STEP: ReadonlySet<unknown> = new Set([
  'invalid_batch_settlement_evm_cumulative_amount_mismatch',
  'invalid_batch_settlement_evm_cumulative_below_claimed',
]);

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The seller's account of a channel, not yet believed. */
export interface Claimed {
  readonly charged: bigint;
  readonly balance: bigint | undefined;
  readonly isLeaving: boolean;
  /** A voucher by which it proves what it has charged. */
  readonly voucher: { readonly total: bigint; readonly signature: string } | undefined;
}

/** The account of a channel in a refusal; undefined where it is about something else. */
export function claimedIn({ headers }: Reply, id: string): Claimed | undefined {
  const challenge = readChallenge(headers);
  if (challenge === undefined || !OUT_OF_STEP.has(challenge.error)) return undefined;
  const extras = challenge.others.flatMap(({ scheme, extra }) => (scheme === SCHEME_NAME ? [extra] : []));
  const isOfIt = ({ channelState }: Json): boolean =>
    isJson(channelState) && String(channelState.channelId).toLowerCase() === id;
  const extra = extras.find(isOfIt);
  const state = extra?.channelState;
  if (!isJson(state)) return undefined;
  const charged = decimalOf(state.chargedCumulativeAmount);
  if (charged === undefined) return undefined;
  const proof = extra?.voucherState;
  const total = isJson(proof) ? decimalOf(proof.signedMaxClaimable) : undefined;
  const voucher =
    isJson(proof) && total !== undefined ? { total, signature: String(proof.signature) } : undefined;
  const isLeaving = Number(state.withdrawRequestedAt ?? 0) > 0;
  return { charged, balance: decimalOf(state.balance), isLeaving, voucher };
}

/**
 * The highest total that the seller can claim already, where that covers what it says it has charged: what was signed here,
 * what a voucher of our own key shows, or what the contract has paid. Undefined where it claims more than it can prove.
 */
export async function provenTotal(
  record: ChannelRecord,
  { charged, voucher }: Claimed,
  view: () => Promise<ChainView | undefined>,
): Promise<bigint | undefined> {
  const signed = BigInt(record.signed);
  if (charged <= signed) return signed;
  if (voucher !== undefined && voucher.total >= charged) {
    const digest = voucherDigest(record.id, voucher.total, chainIdOf(record));
    if (signerOf(digest, voucher.signature) === record.config.payerAuthorizer) return voucher.total;
  }
  const claimed = (await view())?.claimed;
  return claimed !== undefined && claimed >= charged ? claimed : undefined;
}
