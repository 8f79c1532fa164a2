import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import type { Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume, type StatedAmount } from '../amounts.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { keepPatch } from '../quote-field.ts';
import { putTouch } from './metrics.ts';
import { PUBLISHED } from './published.ts';
import { objectOf, rowsOf, symbolOf, unitsOf } from './wire.ts';

/** Row of `swap_open_interest` and of `/v5/market/open_interest`. */
function takeInterest(row: Wire, symbol: string, units: ContractUnits, { quotes, rejects }: Decoded): void {
  const q: QuotePatch = { symbol };
  const open = { contracts: row.volume, base: row.amount, quote: row.value };
  putOpenInterest(q, PUBLISHED.openInterest, open, units, rejects);
  const traded = { contracts: row.trade_volume, base: row.trade_amount, quote: row.trade_turnover };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  keepPatch(q, quotes, rejects);
}

/**
 * `GET /linear-swap-api/v1/swap_open_interest` (all contracts without `contract_code`) and
 * `GET /v5/market/open_interest?contract_code=` (one): open interest and 24 h volume.
 */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(rowsOf(payload, out), 'contract_code', unitsOf, context, out, (row, symbol, units) => {
    if (row.business_type === 'futures') out.rejects.push({ symbol, reason: 'dated' });
    else takeInterest(row, symbol, units, out);
  });
  return out;
}

/** Where each version of the overview says what: `vol` changes its meaning. */
export type Overview = (row: Wire) => StatedAmount;

/** First version: `vol` counts contracts. */
export const overviewV1: Overview = (row) => ({
  contracts: row.vol,
  base: row.amount,
  quote: row.trade_turnover,
});

/** Second version: `vol` is the turnover in USDT, `number_of` counts contracts. */
export const overviewV2: Overview = (row) => ({
  contracts: row.number_of,
  base: row.amount,
  quote: row.vol,
});

/** One row of an overview: volume and touch. */
export function takeOverview(
  row: Wire,
  symbol: string,
  units: ContractUnits,
  of: Overview,
  out: Decoded,
): void {
  const q: QuotePatch = { symbol };
  putVolume(q, PUBLISHED.volume, of(row), units, out.rejects);
  putTouch(q, row, units.multiplier, out);
  keepPatch(q, out.quotes, out.rejects);
}

/** `GET …/market/detail/batch_merged`, of one version. */
export function decodeOverviews(of: Overview) {
  return (payload: unknown, context: DecodeContext): Decoded => {
    const out = emptyDecoded();
    eachContract(rowsOf(payload, out), 'contract_code', unitsOf, context, out, (row, symbol, units) =>
      takeOverview(row, symbol, units, of, out),
    );
    return out;
  };
}

/** `GET /linear-swap-ex/market/detail/merged?contract_code=`: one contract, named by the channel. */
export function decodeOverview(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const row = objectOf(payload, out);
  if (row === undefined) return out;
  readOneContract(symbolOf(payload, context), unitsOf, context, out, (symbol, units) =>
    takeOverview(row, symbol, units, overviewV1, out),
  );
  return out;
}
