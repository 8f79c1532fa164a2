import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { readLevels } from '../levels.ts';
import { eachContract } from '../rows.ts';
import { isTicker, takeTicker } from './tickers.ts';
import { askedInstrument, channelInstrument, contracts, resultOf } from './wire.ts';

/**
 * Frames of `ticker_slim.<instrument>.<ms>` and, before v3, `ticker.<instrument>.<ms>` (a ticker of either form as
 * `data.instrument_ticker`, or straight in `data`), and of `orderbook.<instrument>.<group>.<depth>` (each a whole
 * book). Acknowledgements say nothing; a frame of any other channel is refused by its name.
 */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  if (frame.result !== undefined) return out;
  if (isWire(frame.error)) {
    resultOf(frame, out);
    return out;
  }
  const params = isWire(frame.params) ? frame.params : frame;
  const channel = readText(params.channel);
  const data = isWire(params.data) ? params.data : params;
  const ticker = isWire(data.instrument_ticker) ? data.instrument_ticker : data;
  if (isTicker(ticker)) {
    const asked = channel === undefined ? askedInstrument(context) : channelInstrument(channel);
    takeTicker(out, ticker, asked, context);
  } else if (data.bids !== undefined || data.asks !== undefined) takeBook(out, data, context);
  else {
    const detail = `neither ticker nor book: ${channel ?? 'no channel'}`;
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail });
  }
  return out;
}

function takeBook(out: Decoded, data: Wire, context: DecodeContext): void {
  eachContract(data, 'instrument_name', out, context, contracts, (row, symbol, { multiplier }) => {
    const sides = {
      bids: readLevels(levelPairs(row.bids), multiplier),
      asks: readLevels(levelPairs(row.asks), multiplier),
    };
    const stamps = bookStamps(row.publish_id, undefined, row.timestamp);
    addUnitBook(out, symbol, 'snapshot', sides, stamps);
  });
}

/** Levels as pairs: v3 is described both with `[price, amount]` and with `{price, amount}`. */
function levelPairs(levels: unknown): unknown {
  return wireArray(levels)?.map((level) => (isWire(level) ? [level.price, level.amount] : level));
}
