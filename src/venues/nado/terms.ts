import { readNumber } from '../../domain/read.ts';
import { asBase, asPrice, asUsd } from '../../domain/units.ts';
import { type Term, type TermsTable, term } from '../grammar/terms.ts';

/** The gateway writes decimals as integers times 10^18. */
const SCALE = 1e-18;

/** A number above 0 of the gateway's list; 0 states none. */
function decimalOf(raw: unknown): number | undefined {
  const stated = readNumber(raw);
  return stated !== undefined && stated > 0 ? Number((stated * SCALE).toPrecision(13)) : undefined;
}

const tidy = (value: number): number => Number(value.toPrecision(13));

/** A weight of 0.95 leaves a margin of 0.05 of the value. */
const lessThanOne = (path: string): Term<number> =>
  term(path, 'weight times 10^18, read as 1 less it', (raw) => {
    const weight = decimalOf(raw);
    return weight !== undefined && weight < 1 ? tidy(1 - weight) : undefined;
  });

/** Terms of contracts, as the gateway's list states them. */
export const TERMS: TermsTable = {
  call: 'gateway v1/query symbols',
  evidence:
    'nadohq/nado-rust-sdk of 2026-07 (`SymbolsResponseData`), ccxt: `min_size` is a value; an answer of the same code base has 10^20 beside a step of 10^15. Protocol guide (nadohq/nado-mcp): initial and maintenance margin follow from the weights. No list of the gateway with a contract was recorded. `max_open_interest_x18` is not read: nothing says what it counts',
  confidence: 'medium',
  fields: {
    tick: term('price_increment_x18', 'quote per named base unit, times 10^18', (raw, { units }) => {
      const step = decimalOf(raw);
      return step === undefined ? undefined : asPrice(tidy(step / units.multiplier));
    }),
    lot: term('size_increment', 'named base units, times 10^18', (raw, { units }) => {
      const step = decimalOf(raw);
      return step === undefined ? undefined : asBase(tidy(step * units.multiplier));
    }),
    minNotionalUsd: term('min_size', 'quote currency, times 10^18', (raw) => {
      const value = decimalOf(raw);
      return value === undefined ? undefined : asUsd(value);
    }),
    initialMargin: lessThanOne('long_weight_initial_x18'),
    maintenanceMargin: lessThanOne('long_weight_maintenance_x18'),
  },
};
