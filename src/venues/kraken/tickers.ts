import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readIso, readNumber, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { type ContractUnits, unitsPerContract } from '../contract-units.ts';
import { nextHour } from '../hour.ts';
import { keepPatch, put } from '../quote-field.ts';
import { INTERVAL } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { eachRow, type KrakenTicker, rowsOf } from './wire.ts';

/**
 * `GET /tickers` and `GET /tickers/{symbol}`: every metric of every contract. The next funding is the full hour
 * after the server's time (else after receipt).
 */
export function decodeTickers(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = rowsOf(payload, 'tickers', out, 'ticker');
  const now = (isWire(payload) ? readIso(payload.serverTime) : undefined) ?? context.receivedAt;
  eachRow(rows, 'symbol', context, out, (row, symbol, units) => takeTicker(row, symbol, units, now, out));
  return out;
}

function takeTicker(
  wire: Wire,
  symbol: string,
  units: ContractUnits,
  now: UnixMs | undefined,
  out: Decoded,
): void {
  const row: KrakenTicker = wire;
  const { rejects } = out;
  if (row.suspended === true) {
    rejects.push({ symbol, reason: 'not_trading', detail: 'suspended' });
    return;
  }
  const { multiplier } = units;
  const amounts = unitsPerContract(units);
  const q: QuotePatch = { symbol };
  put(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  put(q, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, rejects);
  putFunding(q, row, now, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterest }, amounts, rejects);
  putVolume(q, PUBLISHED.volume, { base: row.vol24h, quote: row.volumeQuote }, amounts, rejects);
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, rejects);
  keepPatch(q, out.quotes, rejects);
}

/**
 * The absolute rate as a fraction: USD for one base unit and hour, divided by the mark (by the index where there is
 * no mark). A contract that was just listed has neither price nor rate.
 */
function putFunding(q: QuotePatch, row: KrakenTicker, now: UnixMs | undefined, rejects: Reject[]): void {
  const price = readPrice(row.markPrice) ?? readPrice(row.indexPrice);
  if (price === undefined) {
    if (readNumber(row.fundingRate) !== undefined && row.fundingRate !== 0) {
      rejects.push({
        symbol: q.symbol,
        reason: 'unknown_unit',
        detail: 'absolute fundingRate without a price',
      });
    }
    return;
  }
  put(q, 'fundingRate', readRate(row.fundingRate, 1 / price), row.fundingRate, rejects);
  if (q.fundingRate === undefined) return;
  q.fundingIntervalHours = INTERVAL;
  const next = nextHour(now);
  if (next !== undefined) q.nextFundingTime = next;
}
