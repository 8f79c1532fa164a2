import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readPrice, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { contractUnitsOf } from '../contract-units.ts';
import { keepPatch, put } from '../quote-field.ts';
import { eachContract } from '../rows.ts';
import { takeBook } from './book.ts';
import { bodyOf, contracts, parseSymbol } from './rows.ts';
import { takeTicker } from './wire.ts';

const PACK = 'perp_market24h_pack_p.update';

/** A frame of the public socket: one of these parts names the channel. */
interface PhemexFrame {
  readonly orderbook_p?: unknown;
  readonly book?: unknown;
  readonly market24h_p?: unknown;
  readonly market24h?: unknown;
  readonly spot_market24h?: unknown;
  readonly tick_p?: unknown;
  readonly method?: unknown;
  /** Columns and rows of `perp_market24h_pack_p.update`; increments may leave the columns out. */
  readonly fields?: unknown;
  readonly data?: unknown;
  readonly result?: unknown;
}

/** A frame of `wss://ws.phemex.com`. Acknowledgements and pongs carry nothing. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no frame' });
    return out;
  }
  const frame: PhemexFrame = payload;
  const ticker = frame.market24h_p ?? frame.market24h ?? frame.spot_market24h;
  if (frame.orderbook_p !== undefined || frame.book !== undefined) takeBook(payload, context, out);
  else if (ticker !== undefined) takeTickers(ticker, context, out);
  else if (frame.tick_p !== undefined) takeTick(frame.tick_p, context, out);
  else if (frame.fields !== undefined || frame.method === PACK) return takePack(frame, context, out);
  else if (frame.data !== undefined) takeTickers(frame.data, context, out);
  else takeControl(payload, frame, out);
  return out;
}

function takeControl(payload: Wire, frame: PhemexFrame, out: Decoded): void {
  bodyOf(payload, out);
  if (out.rejects.length > 0 || frame.result !== undefined) return;
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no channel' });
}

function takeTickers(rows: unknown, context: DecodeContext, out: Decoded): void {
  eachContract(rows, 'symbol', out, context, contracts, (row, symbol, units) => {
    takeTicker(row, symbol, units, out);
  });
}

/**
 * `perp_market24h_pack_p`: rows in columns that the frame names, or that the last frame with names had; increments hold
 * only rows that changed.
 */
function takePack(frame: PhemexFrame, context: DecodeContext, out: Decoded): Decoded {
  const stated = wireArray(frame.fields)?.map((field) => readText(field) ?? '');
  const columns = frame.fields === undefined ? context.columns : stated;
  const rows = wireArray(frame.data);
  if (columns === undefined || rows === undefined) {
    const unnamed = frame.fields === undefined && rows !== undefined;
    const reason = unnamed ? 'missing_field' : 'unexpected_shape';
    const detail = unnamed ? 'fields, of this frame or one before' : 'fields and data';
    out.rejects.push({ symbol: null, reason, detail });
    return out;
  }
  const named = rows.map((cells) => {
    const values = wireArray(cells);
    return values === undefined ? cells : Object.fromEntries(columns.map((field, i) => [field, values[i]]));
  });
  takeTickers(named, context, out);
  return { ...out, columns };
}

/** What a tick is of. */
interface TickSubject {
  readonly symbol: string;
  readonly field: 'indexPrice' | 'markPrice' | 'fundingRate';
}

const subjects = new WeakMap<DecodeContext['instruments'], ReadonlyMap<string, TickSubject>>();

/** Index, mark and rate symbols of the listed contracts. */
function subjectsOf(instruments: DecodeContext['instruments']): ReadonlyMap<string, TickSubject> {
  const known = subjects.get(instruments);
  if (known !== undefined) return known;
  const made = new Map<string, TickSubject>();
  for (const { symbol, indexId = `.${symbol}` } of instruments.values()) {
    made.set(indexId, { symbol, field: 'indexPrice' });
    made.set(`.M${symbol}`, { symbol, field: 'markPrice' });
    made.set(`.${symbol}FR`, { symbol, field: 'fundingRate' });
  }
  subjects.set(instruments, made);
  return made;
}

/**
 * Without the list `.BTCUSDT` is an index, `.BTCUSDTFR` a running rate and `.MBTCUSDT` a mark, unless so little
 * stands behind the M that it may as well begin a base (`.MEUSDT`). Only the list can tell those apart.
 */
function parsedSubject(name: string): TickSubject | 'unknown_unit' | 'not_listed' {
  if (!name.startsWith('.')) return 'not_listed';
  const rate = /^\.(.+)FR$/.exec(name)?.[1];
  if (rate !== undefined) return { symbol: rate, field: 'fundingRate' };
  const behindM = /^\.M(.*)USD[TC]$/.exec(name)?.[1];
  if (behindM === undefined) return { symbol: name.slice(1), field: 'indexPrice' };
  return behindM.length < 3 ? 'unknown_unit' : { symbol: name.slice(2), field: 'markPrice' };
}

function takeTick(tick: unknown, context: DecodeContext, out: Decoded): void {
  const { rejects } = out;
  const name = isWire(tick) ? readText(tick.symbol) : undefined;
  if (!isWire(tick) || name === undefined) {
    rejects.push({ symbol: null, reason: 'malformed', detail: 'tick without symbol' });
    return;
  }
  const { instruments } = context;
  const listed = instruments.size > 0 ? (subjectsOf(instruments).get(name) ?? 'not_listed') : undefined;
  const subject = listed ?? parsedSubject(name);
  const units =
    typeof subject === 'string' ? subject : contractUnitsOf(context, subject.symbol, parseSymbol, 1);
  if (typeof subject === 'string' || typeof units === 'string') {
    rejects.push({ symbol: name, reason: typeof units === 'string' ? units : 'not_listed' });
    return;
  }
  const { symbol, field } = subject;
  const q: QuotePatch = { symbol };
  if (field === 'fundingRate') put(q, field, readRate(tick.last), tick.last, rejects);
  else put(q, field, readPrice(tick.last, units.multiplier), tick.last, rejects);
  keepPatch(q, out.quotes, rejects);
}
