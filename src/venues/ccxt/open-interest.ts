import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readBase, readUsd, type Wire } from '../../domain/read.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { DecodeContext, Decoder } from '../adapter.ts';
import { keepPatch } from '../quote-field.ts';
import { type UnitAmount, unitAmount } from './amount-unit.ts';
import { putAmount } from './put-amount.ts';
import { eachListed } from './unified-rows.ts';

type Figure = 'amount in contracts' | 'amount in base' | 'value in base' | 'value in quote';

/** Exchanges whose one figure is known to count something; evidence in VENUE.md. */
const KNOWN: Readonly<Record<VenueId, Figure>> = {
  kucoinfutures: 'amount in contracts',
  weex: 'amount in base',
  hitbtc: 'value in base',
  fmfwio: 'value in base',
  bingx: 'value in quote',
};

/**
 * Reads unified open interest (`fetchOpenInterests`, `fetchOpenInterest`). ccxt's two figures are believed where
 * amount x price gives the value, in base units or in contracts; a single figure where its unit is known. A value on
 * its own is not: exchanges that state one figure only put base units there as often as money.
 */
export function openInterestDecoder(venue: VenueId): Decoder {
  return (payload, context) => {
    const out = emptyDecoded();
    eachListed(payload, out, context, (row, instrument) => {
      const patch: QuotePatch = { symbol: instrument.symbol };
      const figures = { amount: row.openInterestAmount, value: row.openInterestValue };
      const counted = putUnitInterest(row, instrument, context, venue);
      putAmount(patch, 'openInterest', figures, counted, instrument.multiplier, out.rejects);
      keepPatch(patch, out.quotes, out.rejects);
    });
    return out;
  };
}

function putUnitInterest(
  row: Wire,
  { symbol, multiplier, contractSize }: Instrument,
  context: DecodeContext,
  venue: VenueId,
): UnitAmount | undefined {
  const amount = readBase(row.openInterestAmount);
  const value = readUsd(row.openInterestValue);
  const mark = context.markOf?.(symbol);
  const price = mark && mark * multiplier;
  if (amount !== undefined && value !== undefined) return unitAmount({ amount, value, price, contractSize });
  switch (KNOWN[venue]) {
    case 'amount in contracts':
      return amount === undefined ? {} : { base: amount * contractSize };
    case 'amount in base':
      return amount === undefined ? {} : { base: amount };
    case 'value in base':
      return value === undefined ? {} : { base: value };
    case 'value in quote':
      return value === undefined ? {} : { value };
    case undefined:
      return value === undefined || value === 0
        ? unitAmount({ amount, value, price, contractSize })
        : undefined;
  }
}
