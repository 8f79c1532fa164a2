import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readBase, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import { asHours, type Hours } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { keepPatch } from '../quote-field.ts';
import { baseOfSymbol, contractUnits, eachContract, multiplierOf } from './contract.ts';
import { openEnvelope } from './envelope.ts';
import { PUBLISHED } from './published.ts';

/** Rows of a REST answer or of a push, into `out`. */
export type RowsDecoder = (rows: readonly unknown[], context: DecodeContext, out: Decoded) => void;

/** The REST decoder of a call whose rows `take` reads. */
export function restOf(take: RowsDecoder): Decoder {
  return (payload, context) => {
    const opened = openEnvelope(payload);
    if ('failed' in opened) return opened.failed;
    const out = emptyDecoded();
    take(opened.rows, context, out);
    return out;
  };
}

/**
 * `public/funding-rate`: `fundingRate` is charged at `fundingTime`, the next settlement; `nextFundingTime` is
 * the one after it, and their distance the interval. The rate may be empty on new listings.
 */
export const takeFundingRates: RowsDecoder = (rows, context, out) => {
  eachContract(rows, context.instruments, out, (row, symbol) => {
    const rate = readRate(row.fundingRate);
    const next = readMs(row.fundingTime);
    const hours = intervalOf(row);
    const patch: QuotePatch = { symbol };
    if (rate !== undefined) patch.fundingRate = rate;
    else out.rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    if (next !== undefined) patch.nextFundingTime = next;
    else out.rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    if (hours !== undefined) patch.fundingIntervalHours = hours;
    else out.rejects.push(fieldFault(symbol, 'nextFundingTime', row.nextFundingTime));
    if (rate !== undefined || next !== undefined) out.quotes.push(patch);
  });
};

/** Whole hours between the next settlement and the one after it. */
function intervalOf(row: Wire): Hours | undefined {
  const next = readMs(row.fundingTime);
  const after = readMs(row.nextFundingTime);
  if (next === undefined || after === undefined) return undefined;
  const hours = (after - next) / HOUR_MS;
  return Number.isInteger(hours) && hours > 0 && hours <= 24 ? asHours(hours) : undefined;
}

/** `public/mark-price`. */
export const takeMarkPrices: RowsDecoder = (rows, context, out) => {
  eachContract(rows, context.instruments, out, (row, symbol, multiplier) => {
    const mark = readPrice(row.markPx, multiplier);
    if (mark === undefined) out.rejects.push(fieldFault(symbol, 'markPx', row.markPx));
    else out.quotes.push({ symbol, markPrice: mark });
  });
};

/** `public/open-interest`: `oi` in contracts, `oiCcy` in coins, `oiUsd` where the answer has it. */
export const takeOpenInterest: RowsDecoder = (rows, context, out) => {
  eachContract(rows, context.instruments, out, (row, symbol, multiplier) => {
    const units = { multiplier, perContract: contractUnits(symbol, context.instruments) };
    const stated = { contracts: row.oi, base: row.oiCcy, quote: row.oiUsd };
    const patch: QuotePatch = { symbol };
    putOpenInterest(patch, PUBLISHED.openInterest, stated, units, out.rejects, 'required');
    keepPatch(patch, out.quotes, out.rejects);
  });
};

/**
 * `market/tickers`: `vol24h` in contracts, `volCcy24h` in coins (for swaps), best bid and ask. The volume in the
 * quote currency is coins x last price of the same row. An empty side of the book is stated as "".
 */
export const takeTickers: RowsDecoder = (rows, context, out) => {
  eachContract(rows, context.instruments, out, (row, symbol, multiplier) => {
    const patch: QuotePatch = { symbol };
    const perContract = contractUnits(symbol, context.instruments);
    const inContracts = perContract === undefined ? undefined : readBase(row.vol24h, perContract);
    const units = readBase(row.volCcy24h, multiplier) ?? inContracts;
    const last = readPrice(row.last, multiplier);
    const quote = units === undefined || last === undefined ? undefined : units * last;
    const stated = { contracts: row.vol24h, base: row.volCcy24h, quote };
    putVolume(patch, PUBLISHED.volume, stated, { multiplier, perContract }, out.rejects, 'required');
    const bid = readPrice(row.bidPx, multiplier);
    if (bid !== undefined) patch.bestBid = bid;
    const ask = readPrice(row.askPx, multiplier);
    if (ask !== undefined) patch.bestAsk = ask;
    out.quotes.push(patch);
  });
};

const NONE: readonly string[] = [];

/** Swaps by index id, built once for a list of contracts. */
const swapsByIndex = new WeakMap<ReadonlyMap<string, Instrument>, ReadonlyMap<string, readonly string[]>>();

function swapsOf(instruments: ReadonlyMap<string, Instrument>): ReadonlyMap<string, readonly string[]> {
  const known = swapsByIndex.get(instruments);
  if (known !== undefined) return known;
  const built = new Map<string, string[]>();
  for (const { symbol, indexId } of instruments.values()) {
    if (indexId === undefined) continue;
    const symbols = built.get(indexId);
    if (symbols === undefined) built.set(indexId, [symbol]);
    else symbols.push(symbol);
  }
  swapsByIndex.set(instruments, built);
  return built;
}

/** Swaps that an index prices; without a list, the swap of the same name where its quote is linear. */
function followers(indexId: string, instruments: ReadonlyMap<string, Instrument>): readonly string[] {
  if (instruments.size > 0) return swapsOf(instruments).get(indexId) ?? NONE;
  const swap = `${indexId}-SWAP`;
  return baseOfSymbol(swap) === undefined ? NONE : [swap];
}

/** `market/index-tickers`: keyed by index id (`BTC-USDT`), never by the swap's own. */
export const takeIndexTickers: RowsDecoder = (rows, context, out) => {
  for (const row of rows) {
    const indexId = isWire(row) ? readText(row.instId) : undefined;
    if (!isWire(row) || indexId === undefined) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
      continue;
    }
    const symbols = followers(indexId, context.instruments);
    if (symbols.length === 0) out.rejects.push({ symbol: indexId, reason: 'not_listed' });
    for (const symbol of symbols) takeIndex(out, row, symbol, context);
  }
};

function takeIndex(out: Decoded, row: Wire, symbol: string, context: DecodeContext): void {
  const multiplier = multiplierOf(symbol, context.instruments);
  if (typeof multiplier !== 'number') {
    out.rejects.push({ symbol, reason: multiplier });
    return;
  }
  const index = readPrice(row.idxPx, multiplier);
  if (index === undefined) out.rejects.push(fieldFault(symbol, 'idxPx', row.idxPx));
  else out.quotes.push({ symbol, indexPrice: index });
}
