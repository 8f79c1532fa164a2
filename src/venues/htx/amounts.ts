import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readBase, readUsd, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract, oneContract } from '../contract-rows.ts';
import { keepPatch, put } from '../quote-field.ts';
import type { Scale } from '../scale.ts';
import { putTouch } from './metrics.ts';
import { objectOf, rowsOf, scaling, symbolOf } from './wire.ts';

/** A traded or open amount in the three units that the venue states. */
export interface HtxAmount {
  readonly contracts: unknown;
  readonly coins: unknown;
  /** USDT. */
  readonly value: unknown;
}

/** Traded amounts of 24 hours; coins from contracts where only those are stated. */
export function putVolume(q: QuotePatch, amount: HtxAmount, scale: Scale, rejects: Reject[]): void {
  const { contracts, coins, value } = amount;
  const raw = readBase(contracts);
  put(q, 'volume24hRaw', raw, contracts, rejects);
  const base = readBase(coins, scale.multiplier) ?? counted(contracts, scale);
  put(q, 'volume24hBase', base, coins, rejects);
  put(q, 'volume24hUsd', readUsd(value), value, rejects);
}

function counted(contracts: unknown, { perContract }: Scale) {
  return perContract === undefined ? undefined : readBase(contracts, perContract);
}

/** Row of `swap_open_interest` and of `/v5/market/open_interest`. */
function takeInterest(row: Wire, symbol: string, scale: Scale, out: Decoded): void {
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  const raw = readBase(row.volume);
  put(q, 'openInterestRaw', raw, row.volume, rejects);
  const base = readBase(row.amount, scale.multiplier) ?? counted(row.volume, scale);
  put(q, 'openInterestBase', base, row.amount, rejects);
  put(q, 'openInterestUsd', readUsd(row.value), row.value, rejects);
  const traded = { contracts: row.trade_volume, coins: row.trade_amount, value: row.trade_turnover };
  putVolume(q, traded, scale, rejects);
  keepPatch(q, out.quotes, rejects);
}

/**
 * `GET /linear-swap-api/v1/swap_open_interest` (all contracts without `contract_code`) and
 * `GET /v5/market/open_interest?contract_code=` (one): open interest and 24 h volume.
 */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'contract_code', scaling, context, out, (row, symbol, scale) => {
    if (row.business_type === 'futures') out.rejects.push({ symbol, reason: 'dated' });
    else takeInterest(row, symbol, scale, out);
  });
  return out;
}

/** Where each version of the overview says what: `vol` changes its meaning. */
export type Overview = (row: Wire) => HtxAmount;

/** First version: `vol` counts contracts. */
export const overviewV1: Overview = (row) => ({
  contracts: row.vol,
  coins: row.amount,
  value: row.trade_turnover,
});

/** Second version: `vol` is the turnover in USDT, `number_of` counts contracts. */
export const overviewV2: Overview = (row) => ({
  contracts: row.number_of,
  coins: row.amount,
  value: row.vol,
});

/** One row of an overview: volume and touch. */
export function takeOverview(row: Wire, symbol: string, scale: Scale, of: Overview, out: Decoded): void {
  const q: QuotePatch = { symbol };
  putVolume(q, of(row), scale, out.rejects);
  putTouch(q, row, scale.multiplier, out);
  keepPatch(q, out.quotes, out.rejects);
}

/** `GET …/market/detail/batch_merged`, of one version. */
export function decodeOverviews(of: Overview) {
  return (payload: unknown, context: DecodeContext): Decoded => {
    const out = emptyDecoded();
    eachContract(rowsOf(payload, out), 'contract_code', scaling, context, out, (row, symbol, scale) =>
      takeOverview(row, symbol, scale, of, out),
    );
    return out;
  };
}

/** `GET /linear-swap-ex/market/detail/merged?contract_code=`: one contract, named by the channel. */
export function decodeOverview(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  oneContract(symbolOf(payload, context), scaling, context, out, (symbol, scale) =>
    takeOverview(row, symbol, scale, overviewV1, out),
  );
  return out;
}
