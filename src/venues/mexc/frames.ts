import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract, readOneContract } from '../contract-rows.ts';
import type { ContractUnits } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { takeDelta, takeFull } from './book.ts';
import { addContract } from './instruments.ts';
import { unitsOf } from './rows.ts';
import { takeTicker } from './wire.ts';

/** Frame of `wss://contract.mexc.com/edge`. */
interface MexcFrame {
  readonly channel?: unknown;
  readonly symbol?: unknown;
  readonly data?: unknown;
  /** When it was pushed. */
  readonly ts?: unknown;
}

type Take = (data: Wire, symbol: string, units: ContractUnits, frame: MexcFrame, out: Decoded) => void;

const takeIndex: Take = (data, symbol, { multiplier }, frame, out) => {
  const patch: QuotePatch = { symbol };
  need(patch, 'indexPrice', readPrice(data.price, multiplier), data.price, out.rejects);
  keepStamped(patch, frame, out);
};

const takeMark: Take = (data, symbol, { multiplier }, frame, out) => {
  const patch: QuotePatch = { symbol };
  need(patch, 'markPrice', readPrice(data.price, multiplier), data.price, out.rejects);
  keepStamped(patch, frame, out);
};

const takeRate: Take = (data, symbol, _scale, frame, out) => {
  const patch: QuotePatch = { symbol };
  need(patch, 'fundingRate', readRate(data.rate), data.rate, out.rejects);
  put(patch, 'nextFundingTime', readMs(data.nextSettleTime), data.nextSettleTime, out.rejects);
  keepStamped(patch, frame, out);
};

/** These channels push a value when it is computed; the stamp of the push is the value's. */
function keepStamped(patch: QuotePatch, frame: MexcFrame, out: Decoded): void {
  const before = out.quotes.length;
  keepPatch(patch, out.quotes, out.rejects);
  if (out.quotes.length > before) put(patch, 'venueTime', readMs(frame.ts), frame.ts, out.rejects);
}

const CHANNELS: Readonly<Record<string, Take>> = {
  'push.ticker': (data, symbol, units, _frame, out) => takeTicker(data, symbol, units, { prices: true }, out),
  'push.index.price': takeIndex,
  'push.fair.price': takeMark,
  'push.funding.rate': takeRate,
  'push.depth': (data, symbol, units, _frame, out) => takeDelta(data, symbol, units, out),
  'push.depth.full': (data, symbol, units, _frame, out) => takeFull(data, symbol, units, out),
};

/** A frame of the public socket. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame: MexcFrame = isWire(payload) ? payload : {};
  const channel = readText(frame.channel);
  if (channel === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no channel' });
  } else if (channel === 'rs.error') {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText('', frame.data) });
  } else if (channel.startsWith('push.')) takePush(channel, frame, context, out);
  else if (channel !== 'pong' && !channel.startsWith('rs.')) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `channel ${channel.slice(0, 40)}` });
  }
  return out;
}

function takePush(channel: string, frame: MexcFrame, context: DecodeContext, out: Decoded): void {
  const { data } = frame;
  const take = CHANNELS[channel];
  if (channel === 'push.contract') addContract(data, out);
  else if (channel === 'push.tickers') {
    eachContract(Array.isArray(data) ? data : [data], 'symbol', unitsOf, context, out, (row, symbol, units) =>
      takeTicker(row, symbol, units, { prices: true }, out),
    );
  } else if (take === undefined || !isWire(data)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `channel ${channel.slice(0, 40)}` });
  } else {
    const symbol = readText(frame.symbol) ?? readText(data.symbol);
    readOneContract(symbol, unitsOf, context, out, (name, units) => take(data, name, units, frame, out));
  }
}
