import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../call.ts';
import { rejectShape } from '../grammar/answer.ts';
import { price, rate } from '../grammar/field.ts';
import { quotes } from '../grammar/quote.ts';
import { takeEach, takeOf } from '../grammar/rows.ts';
import { open, takeTicker, unitsOf } from './wire.ts';

const PACK = 'perp_market24h_pack_p.update';

/** A frame without a book: one of its parts names the channel. Acknowledgements and pongs state nothing. */
export function decodeQuoteFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: Wire = isWire(payload) ? payload : {};
  if (frame.fields !== undefined || frame.method === PACK) return takePack(frame, context, out);
  // Four families of contracts, each in its field, all sent today: none is an older name of another.
  const tickers = frame.market24h_p ?? frame.market24h ?? frame.spot_market24h ?? frame.data;
  if (frame.tick_p !== undefined) takeTick(frame.tick_p, context, out);
  else if (tickers !== undefined) takeTickers([tickers].flat(), context, out);
  else {
    open(payload, out);
    if (out.rejects.length === 0 && frame.result === undefined) rejectShape(out, 'no channel');
  }
  return out;
}

function takeTickers(rows: readonly unknown[], context: DecodeContext, out: Decoded): void {
  takeEach(rows, 'symbol', unitsOf, context, out, takeTicker);
}

/**
 * `perp_market24h_pack_p`: rows in columns that the frame names, or that the last frame with names had; increments hold
 * only rows that changed.
 */
function takePack({ fields, data }: Wire, context: DecodeContext, out: Decoded): Decoded {
  const stated = wireArray(fields)?.map((field) => readText(field) ?? '');
  const columns = fields === undefined ? context.columns : stated;
  const rows = wireArray(data);
  if (columns === undefined && fields === undefined && rows !== undefined) {
    const detail = 'fields, of this frame or one before';
    out.rejects.push({ symbol: null, reason: 'missing_field', detail });
    return out;
  }
  if (columns === undefined || rows === undefined) {
    rejectShape(out, 'fields and data');
    return out;
  }
  const named = rows.map((cells) => {
    const values = wireArray(cells);
    return values === undefined ? cells : Object.fromEntries(columns.map((field, i) => [field, values[i]]));
  });
  takeTickers(named, context, out);
  return { ...out, columns };
}

const TICKS = {
  indexPrice: quotes({ indexPrice: price('last') }),
  markPrice: quotes({ markPrice: price('last') }),
  fundingRate: quotes({ fundingRate: rate('last') }),
};

/** The subject of a tick. */
interface TickSubject {
  readonly symbol: string;
  readonly field: keyof typeof TICKS;
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
  const name = isWire(tick) ? readText(tick.symbol) : undefined;
  if (name === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol' });
    return;
  }
  const { instruments } = context;
  const subject =
    instruments.size > 0 ? (subjectsOf(instruments).get(name) ?? 'not_listed') : parsedSubject(name);
  if (typeof subject === 'string') out.rejects.push({ symbol: name, reason: subject });
  else takeOf(subject.symbol, [tick], unitsOf, context, out, TICKS[subject.field]);
}
