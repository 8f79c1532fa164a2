import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readRate, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { type Contracts, eachRow } from '../rows.ts';
import { readTakerFeeBps } from '../taker-fee.ts';

/** The rate is per hour and accrues continuously; history rows are hourly. */
export const INTERVAL = asHours(1);

const PERP = /^(.+)-PERP$/;
const CHANNEL = /(?:ticker_slim|ticker|orderbook)\.([A-Za-z0-9]+-[A-Za-z0-9_-]+)/;
/** Instrument types that are not perpetuals, as the venue names them. */
const OUT_OF_SCOPE: ReadonlyMap<unknown, OutOfScopeReason> = new Map([
  ['option', 'option'],
  ['erc20', 'spot'],
]);

/** Base of `BTC-PERP`; undefined for options and spot. */
export function baseOf(symbol: string): string | undefined {
  return PERP.exec(symbol)?.[1];
}

export const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    if (base !== undefined) return { base };
    return symbol.split('-').length > 2 ? 'option' : 'spot';
  },
  contractSize: 1,
};

/** `result` of an answer; an error body (also inside HTTP 200) is a reject and undefined. */
export function resultOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  if (isWire(payload.error)) {
    const detail = errorText(payload.error.code, payload.error.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return payload.result === undefined ? payload : payload.result;
}

/** The instrument that a channel names: `BTC-PERP` of `ticker_slim.BTC-PERP.1000`. */
export function channelInstrument(channel: string): string | undefined {
  return CHANNEL.exec(channel)?.[1];
}

/** The instrument a request's body, query or channel names: answers and slim tickers do not repeat it. */
export function askedInstrument(context: DecodeContext): string | undefined {
  const text = `${context.request?.path ?? ''} ${context.request?.body ?? ''}`;
  return /\binstrument_name"?\s*[:=]\s*"?([^"&\s]+)/.exec(text)?.[1] ?? channelInstrument(text);
}

/** `get_all_instruments`, `get_instrument`: active perpetuals with their taker fee. */
export function decodeInstruments(payload: unknown): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rows = isWire(result) && result.instruments !== undefined ? result.instruments : result;
  eachRow(rows, 'instrument_name', out, (row, symbol) => readInstrument(row, symbol, out));
  return out;
}

function readInstrument(row: Wire, symbol: string, out: Decoded): void {
  const base = baseOf(symbol);
  const outOfScope = OUT_OF_SCOPE.get(row.instrument_type);
  if (outOfScope !== undefined) out.rejects.push({ symbol, reason: outOfScope });
  else if (row.instrument_type !== 'perp' || base === undefined) {
    out.rejects.push(fieldFault(symbol, 'instrument_type', row.instrument_type));
  } else if (row.is_active !== true) out.rejects.push({ symbol, reason: 'not_trading' });
  else {
    const takerFeeBps = readTakerFeeBps(row.taker_fee_rate);
    out.instruments.push({
      venue: 'derive',
      symbol,
      base,
      ...baseName(base),
      contractSize: 1,
      quote: readText(row.quote_currency) ?? 'USDC',
      settle: 'USDC',
      fundingIntervalHours: INTERVAL,
      ...(takerFeeBps === undefined ? {} : { takerFeeBps }),
    });
  }
}

/**
 * `get_funding_rate_history`: the hourly rate of the instrument asked for, under the stamp of its row. v3 rows are
 * candles of the rate that name their currency, and `funding_rate` is the close; rows before it state nothing else.
 */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const rows = isWire(result) ? result.funding_rate_history : result;
  const asked = askedInstrument(context);
  if (!Array.isArray(rows)) {
    out.rejects.push({ symbol: asked ?? null, reason: 'unexpected_shape', detail: 'no funding history' });
    return out;
  }
  for (const row of rows as readonly unknown[]) {
    const wire: Wire = isWire(row) ? row : {};
    const currency = readText(wire.currency);
    const symbol = asked ?? (currency === undefined ? undefined : `${currency}-PERP`);
    const time = readMs(wire.timestamp);
    const rate = readRate(wire.funding_rate);
    if (symbol === undefined) out.rejects.push(fieldFault(null, 'instrument_name', undefined));
    else if (time === undefined || rate === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
    } else {
      out.funding.push({ symbol, time, rate, intervalHours: INTERVAL });
    }
  }
  return out;
}
