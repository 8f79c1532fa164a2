import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readText } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { fieldFault } from '../field-fault.ts';
import { readInstruments } from '../instrument-rows.ts';
import { resultsOf } from './rows.ts';
import { readPeriod, type WireMarket } from './wire.ts';

/** What the other kinds of market are to this service. */
const KINDS: ReadonlyMap<unknown, OutOfScopeReason> = new Map<unknown, OutOfScopeReason>([
  ['PERP_OPTION', 'option'],
  ['OPTION', 'option'],
  ['SPOT', 'spot'],
  ['FUTURE', 'dated'],
]);

/** `/markets`: the perpetuals with their funding period; options are most of the list. */
export function decodeMarkets(payload: unknown): Decoded {
  const decoded = emptyDecoded();
  const read = (row: unknown) => readInstrument(isWire(row) ? row : {});
  return readInstruments(resultsOf(payload, decoded), read, decoded);
}

function readInstrument(wire: WireMarket): Instrument | Reject {
  const symbol = readText(wire.symbol);
  const base = readText(wire.base_currency);
  const quote = readText(wire.quote_currency);
  if (symbol === undefined) return fieldFault(null, 'symbol', wire.symbol);
  if (wire.asset_kind !== 'PERP') {
    const reason = KINDS.get(wire.asset_kind);
    return reason === undefined ? fieldFault(symbol, 'asset_kind', wire.asset_kind) : { symbol, reason };
  }
  if (base === undefined) return fieldFault(symbol, 'base_currency', wire.base_currency);
  if (quote !== 'USD') return { symbol, reason: 'foreign_quote' };
  const period = readPeriod(wire.funding_period_hours);
  return {
    venue: 'paradex',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote,
    settle: readText(wire.settlement_currency) ?? 'USDC',
    ...(period === undefined ? {} : { fundingIntervalHours: period }),
  };
}
