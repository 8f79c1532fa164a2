import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readNumber, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addBook, bookStamps } from '../book-message.ts';
import type { ContractUnits } from '../contract-units.ts';
import { readLevels } from '../levels.ts';
import { requestParam } from '../request-param.ts';
import { dataOf, resultOf } from './rows.ts';
import { takeLatest, type Valuation, withContract } from './valuations.ts';
import { takeTicker } from './wire.ts';

const VALUATIONS: Readonly<Record<string, Exclude<Valuation, 'settled'>>> = {
  mark: 'mark',
  index: 'index',
  funding: 'funding',
};

/** `{bids, asks, t, u}`: a snapshot, or what a change sets under `update`; quantity "0" removes the level. */
function takeBook(row: Wire, symbol: string, units: ContractUnits, out: Decoded): void {
  const sides = isWire(row.update) ? row.update : row;
  const amounts = units.perContract ?? units.multiplier;
  const bids = readLevels(sides.bids, units.multiplier, amounts);
  const asks = readLevels(sides.asks, units.multiplier, amounts);
  const previousSequence = readNumber(row.pu);
  const kind = isWire(row.update) ? 'delta' : 'snapshot';
  addBook(
    out,
    symbol,
    kind,
    units,
    { bids, asks },
    {
      ...bookStamps(row.u, undefined, row.t),
      ...(previousSequence === undefined ? {} : { previousSequence }),
    },
  );
}

/** `get-book`: snapshot without a number. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const data = dataOf(result);
  const row = wireArray(data)?.[0] ?? data;
  const answered = isWire(result) ? readText(result.instrument_name) : undefined;
  if (!isWire(row) || row.bids === undefined) {
    out.rejects.push({ symbol: answered ?? null, reason: 'unexpected_shape', detail: 'no book' });
    return out;
  }
  const name = answered ?? requestParam(context.request, 'instrument_name');
  withContract(name, context, out, (symbol, units) => takeBook(row, symbol, units, out));
  return out;
}

/**
 * A frame of `/exchange/v1/market`: a push names channel and instrument under `result`, with or without its
 * envelope. Acknowledgements and heartbeats carry none.
 */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const result = resultOf(payload, out);
  if (out.rejects.length > 0) return out;
  const channel = isWire(result) ? readText(result.channel) : undefined;
  const rows = isWire(result) ? wireArray(result.data) : undefined;
  if (!isWire(result) || channel === undefined || rows === undefined) {
    if (!isWire(payload) || payload.method === undefined) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no channel' });
    }
    return out;
  }
  withContract(readText(result.instrument_name), context, out, (symbol, units) => {
    for (const row of rows) takeRow(channel, row, symbol, units, context, out);
  });
  return out;
}

function takeRow(
  channel: string,
  row: unknown,
  symbol: string,
  units: ContractUnits,
  context: DecodeContext,
  out: Decoded,
): void {
  const valuation = VALUATIONS[channel];
  if (!isWire(row)) out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
  else if (valuation !== undefined)
    takeLatest(valuation, row, symbol, units.multiplier, context.receivedAt, out);
  else if (channel === 'ticker') takeTicker(row, symbol, units, out);
  else if (channel === 'book' || channel === 'book.update') takeBook(row, symbol, units, out);
  else out.rejects.push({ symbol, reason: 'unknown_unit', detail: `channel ${channel.slice(0, 40)}` });
}
