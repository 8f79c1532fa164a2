import { isWire, readText, type Wire } from '../../../domain/read.ts';

/** Fields in which frames say what they are. */
const NAMES = ['event', 'op', 'method', 'type', 'channel'] as const;

const WORDS =
  /^(?:un)?sub(?:scribed?|scriptions?|scriptionResponse)?$|^(?:ping|pong|connected|welcome|ack|info|heartbeat|status)$|^rs\.|^public\/heartbeat$|^server\./i;

/** Fields that hold rows at some venue: a frame that has one of them and cannot be read is a fault. */
const CARRIERS = [
  'contents',
  'trades',
  'trades_p',
  'liquidation_trades',
  'params',
  'tick',
  'feed',
  'elements',
  'history',
];

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The result of a subscription: nothing, a word, names of channels, or their state. */
function isAcknowledged(result: unknown): boolean {
  if (result === null || typeof result === 'string') return true;
  if (Array.isArray(result)) return result.every((name) => typeof name === 'string');
  if (!isWire(result) || 'data' in result) return false;
  return ['status', 'channel', 'stream', 'subs'].some((name) => name in result);
}

const carriesRows = (frame: Wire): boolean =>
  CARRIERS.some((name) => isObject(frame[name])) ||
  Array.isArray(frame.data) ||
  (isObject(frame.result) && !isAcknowledged(frame.result));

/** True if a frame keeps a connection alive or answers a subscription: it has no events, and is no fault. */
export function isControl(payload: unknown): boolean {
  if (typeof payload === 'string') return /^(?:ping|pong)$/i.test(payload);
  if (!isWire(payload)) return false;
  if (isObject(payload.error) || payload.event === 'error') return false;
  const { id, result, ping, pong } = payload;
  if (typeof ping === 'number' || typeof pong === 'number') return true;
  if (id !== undefined && result !== undefined && isAcknowledged(result)) return true;
  return !carriesRows(payload) && NAMES.some((name) => WORDS.test(readText(payload[name]) ?? ''));
}
