import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { takeDepthUpdate } from './book.ts';
import type { FapiDialect } from './dialect.ts';
import { type MarkFields, takeMark, takeTop, takeVolume } from './metrics.ts';
import { eachContract, errorBody, rejected } from './rows.ts';

const MARK_EVENT: MarkFields = { mark: 'p', index: 'i', rate: 'r', next: 'T', time: 'E' };

const VOLUME_EVENTS = new Set(['24hrTicker', '24hrMiniTicker']);

/** Events that state nothing this service keeps. */
const OTHER_EVENTS = new Set([
  'aggTrade',
  'trade',
  'kline',
  'continuous_kline',
  'markPrice_kline',
  'forceOrder',
  'contractInfo',
  'assetIndexUpdate',
  'compositeIndex',
]);

const PARTIAL_BOOK = /@depth(?:5|10|20)(?:@|$)/;

/** A WebSocket frame: bare events, arrays of them, or either wrapped as `{stream, data}`. */
export function decodeFrame(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const out = emptyDecoded();
  const wrapped = isWire(payload) && payload.data !== undefined;
  const data: unknown = wrapped ? payload.data : payload;
  const stream = (wrapped ? readText(payload.stream) : undefined) ?? context.request?.path ?? '';
  if (isAcknowledgement(data)) return out;
  if (isWire(data) && isWire(data.error)) return rejected(data.error);
  if (errorBody(data) !== undefined) return rejected(data);
  const rows: readonly unknown[] | undefined = Array.isArray(data) ? data : isWire(data) ? [data] : undefined;
  if (rows === undefined || (isWire(data) && data.e === undefined)) return rejected(data);
  const isSnapshot = PARTIAL_BOOK.test(stream);
  const events = rows.filter((row) => !isWire(row) || !isOther(row));
  eachContract(events, 's', context.instruments, dialect, out, (row, symbol, multiplier) => {
    takeEvent(out, row, symbol, multiplier, dialect, isSnapshot);
  });
  return out;
}

/** `{"result":null,"id":1}` answers SUBSCRIBE and UNSUBSCRIBE. */
function isAcknowledgement(data: unknown): boolean {
  return isWire(data) && data.id !== undefined && 'result' in data;
}

function isOther(row: Wire): boolean {
  return typeof row.e === 'string' && OTHER_EVENTS.has(row.e);
}

function takeEvent(
  out: Decoded,
  row: Wire,
  symbol: string,
  multiplier: number,
  dialect: FapiDialect,
  isSnapshot: boolean,
): void {
  const event = readText(row.e) ?? '';
  if (event === 'depthUpdate') takeDepthUpdate(out, symbol, multiplier, row, isSnapshot);
  else if (event === 'markPriceUpdate') takeMark(out, symbol, multiplier, MARK_EVENT, row);
  else if (event === 'bookTicker') takeTop(out, symbol, multiplier, 'b', 'a', row);
  // `Q` of the full ticker is the size of the last trade, `q` the quote volume.
  else if (VOLUME_EVENTS.has(event)) takeVolume(out, symbol, multiplier, dialect, row.v, row.q);
  else out.rejects.push({ symbol, reason: 'unexpected_shape', detail: `event ${event.slice(0, 40)}` });
}
