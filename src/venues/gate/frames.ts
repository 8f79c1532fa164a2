import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest } from '../amounts.ts';
import { eachContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { keepPatch, put } from '../quote-field.ts';
import { takeBookUpdate, takeObu, takeWholeBook } from './book.ts';
import { statedBy } from './history.ts';
import { STATS_OPEN_INTEREST } from './published.ts';
import { unitsOf } from './rows.ts';
import { takeTicker } from './wire.ts';

/** Frame of `wss://fx-ws.gateio.ws/v4/ws/usdt`. */
interface GateFrame {
  readonly channel?: unknown;
  /** `subscribe` and `unsubscribe` acknowledge; `update` and `all` carry data. */
  readonly event?: unknown;
  readonly error?: unknown;
  readonly result?: unknown;
}

type TakeRow = (
  row: Wire,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
  out: Decoded,
) => void;

/** How a channel's rows name their contract, and how they are read. */
interface Channel {
  readonly symbolField: string;
  readonly take: TakeRow;
}

/** Best prices; `t` is when they changed, within 20 ms of the push in recorded sessions. */
const takeBookTicker: TakeRow = (row, symbol, { multiplier }, _context, out) => {
  const patch: QuotePatch = { symbol };
  put(patch, 'bestBid', readPrice(row.b, multiplier), row.b, out.rejects);
  put(patch, 'bestAsk', readPrice(row.a, multiplier), row.a, out.rejects);
  if (patch.bestBid !== undefined || patch.bestAsk !== undefined) {
    put(patch, 'venueTime', readMs(row.t), row.t, out.rejects);
  }
  keepPatch(patch, out.quotes, out.rejects);
};

const takeStats: TakeRow = (row, symbol, units, _context, out) => {
  const patch: QuotePatch = { symbol };
  put(patch, 'markPrice', readPrice(row.mark_price, units.multiplier), row.mark_price, out.rejects);
  putOpenInterest(patch, STATS_OPEN_INTEREST, statedBy(row), units, out.rejects);
  keepPatch(patch, out.quotes, out.rejects);
};

const CHANNELS: Readonly<Record<string, Channel>> = {
  'futures.tickers': {
    symbolField: 'contract',
    take: (row, symbol, units, context, out) =>
      takeTicker(row, symbol, units, context, { openInterest: true }, out),
  },
  'futures.book_ticker': { symbolField: 's', take: takeBookTicker },
  'futures.contract_stats': { symbolField: 'contract', take: takeStats },
  'futures.order_book': {
    symbolField: 'contract',
    take: (row, symbol, units, _context, out) => takeWholeBook(row, symbol, units, out),
  },
  'futures.order_book_update': {
    symbolField: 's',
    take: (row, symbol, units, _context, out) => takeBookUpdate(row, symbol, units, out),
  },
  'futures.obu': {
    symbolField: 's',
    take: (row, symbol, units, _context, out) => takeObu(row, symbol, units, out),
  },
};

/** Stream name of the channel `futures.obu`: `ob.BTC_USDT.50`. */
const OBU_STREAM = /^ob\.(.+)\.\d+$/;

/** A frame of the futures socket. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: GateFrame = isWire(payload) ? payload : {};
  const channel = readText(frame.channel);
  if (channel === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no channel' });
    return out;
  }
  if (isWire(frame.error)) {
    const { code, message } = frame.error;
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(code, message) });
    return out;
  }
  if (channel.endsWith('.pong') || frame.event === 'subscribe' || frame.event === 'unsubscribe') return out;
  takeResult(channel, frame, context, out);
  return out;
}

function takeResult(channel: string, frame: GateFrame, context: DecodeContext, out: Decoded): void {
  const known = CHANNELS[channel];
  // The second form of `futures.order_book` is a list of single changes without their place in the sequence.
  const listed = channel === 'futures.order_book' && Array.isArray(frame.result);
  if (known === undefined || listed) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `channel ${channel.slice(0, 40)}` });
    return;
  }
  // One row, a list of rows, or (old captures) a list in a list.
  const rows = [frame.result].flat(2).map((row) => (channel === 'futures.obu' ? plainSymbol(row) : row));
  eachContract(rows, known.symbolField, unitsOf, context, out, (row, symbol, units) =>
    known.take(row, symbol, units, context, out),
  );
}

/** The contract of a stream of `futures.obu`; '' where the name has another form. */
export function symbolOfStream(stream: string): string {
  return OBU_STREAM.exec(stream)?.[1] ?? '';
}

function plainSymbol(row: unknown): unknown {
  if (!isWire(row) || typeof row.s !== 'string') return row;
  return { ...row, s: symbolOfStream(row.s) };
}
