import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import type { ContractUnits } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { CLASSIC_SIDES, takeBook, UNIFIED_SIDES } from './book.ts';
import { unitsOf } from './rows.ts';
import { takeTicker } from './wire.ts';
import { takeTickerV3 } from './wire-v3.ts';

/** Frame of the public sockets. v2 names `channel` and `instId`, v3 `topic` and `symbol`. */
interface BitgetFrame {
  readonly action?: unknown;
  readonly event?: unknown;
  readonly arg?: unknown;
  readonly data?: unknown;
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly ts?: unknown;
}

/** Product types that are no linear perpetuals, lower case; `mc` of the v1 stream holds all contracts. */
const OUT_OF_SCOPE_TYPES: Readonly<Record<string, OutOfScopeReason>> = {
  spot: 'spot',
  sp: 'spot',
  'coin-futures': 'inverse',
  'susdt-futures': 'foreign_quote',
  'susdc-futures': 'foreign_quote',
  'scoin-futures': 'foreign_quote',
};

/** Channels whose every message is a snapshot, whatever its action says. */
const WHOLE = /^books\d+$/;

/** A frame of `/v2/ws/public` or `/v3/ws/public` (and of the v1 stream, whose books have the same form). */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (payload === 'pong' || payload === 'ping') return out;
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no frame' });
    return out;
  }
  const frame: BitgetFrame = payload;
  if (frame.event === 'error' || (frame.event === undefined && frame.code !== undefined)) {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(frame.code, frame.msg) });
    return out;
  }
  // Acknowledgements carry no data; neither do login and unsubscribe answers.
  if (frame.event !== undefined) return out;
  takeData(frame, context, out);
  return out;
}

function takeData(frame: BitgetFrame, context: DecodeContext, out: Decoded): void {
  const arg: Wire = isWire(frame.arg) ? frame.arg : {};
  const classic = readText(arg.channel);
  const channel = classic ?? readText(arg.topic);
  const symbol = readText(classic === undefined ? arg.symbol : arg.instId);
  if (channel === undefined || symbol === undefined || !Array.isArray(frame.data)) {
    out.rejects.push({ symbol: symbol ?? null, reason: 'unexpected_shape', detail: 'arg or data' });
    return;
  }
  const outOfScope = OUT_OF_SCOPE_TYPES[String(readText(arg.instType)).toLowerCase()];
  const units = outOfScope ?? unitsOf(context, symbol);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return;
  }
  for (const row of frame.data as readonly unknown[]) {
    if (!isWire(row)) out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
    else if (classic !== undefined) takeClassic(row, symbol, units, channel, frame, out);
    else takeUnified(row, symbol, units, channel, frame, out);
  }
}

function takeClassic(
  row: Wire,
  symbol: string,
  units: ContractUnits,
  channel: string,
  frame: BitgetFrame,
  out: Decoded,
): void {
  if (channel === 'ticker') takeTicker(row, symbol, units, out);
  else if (channel.startsWith('books'))
    takeBook(row, symbol, units, kindOf(channel, frame), CLASSIC_SIDES, out);
  else out.rejects.push({ symbol, reason: 'unexpected_shape', detail: `channel ${channel.slice(0, 40)}` });
}

function takeUnified(
  row: Wire,
  symbol: string,
  units: ContractUnits,
  channel: string,
  frame: BitgetFrame,
  out: Decoded,
): void {
  if (channel === 'ticker') takeTickerV3(row, symbol, units, out, frame.ts);
  else if (channel.startsWith('books'))
    takeBook(row, symbol, units, kindOf(channel, frame), UNIFIED_SIDES, out);
  else out.rejects.push({ symbol, reason: 'unexpected_shape', detail: `topic ${channel.slice(0, 40)}` });
}

function kindOf(channel: string, frame: BitgetFrame): 'snapshot' | 'delta' {
  return WHOLE.test(channel) || frame.action === 'snapshot' ? 'snapshot' : 'delta';
}
