import { asBase, type BaseQty } from '../../domain/units.ts';
import { SECONDS } from '../grammar/field.ts';
import {
  end,
  inContracts,
  inQuote,
  leverage,
  margin,
  type Term,
  type TermsTable,
  term,
  tick,
} from '../grammar/terms.ts';

/** Sizes are whole contracts, unless the contract takes decimals, of which nothing states how many. */
const lotTerm: Term<BaseQty> = {
  ...term('enable_decimal', 'one contract where it is not true', (isDecimal, { units: { perContract } }) =>
    isDecimal === true || perContract === undefined ? undefined : asBase(perContract),
  ),
  appliesTo: ({ wire }) => wire.enable_decimal !== true,
};

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'v4/futures/usdt/contracts',
  evidence:
    'recorded 2023-05 and 2026-07; v4 documentation of contracts: `maintenance_rate` is that of the first tier, `risk_limit_max` the largest position value',
  confidence: 'high',
  fields: {
    tick: tick('order_price_round'),
    lot: lotTerm,
    minSize: inContracts('order_size_min'),
    maxLeverage: leverage('leverage_max'),
    maintenanceMargin: margin('maintenance_rate'),
    positionLimitUsd: inQuote('risk_limit_max'),
    delistsAt: end('delisted_time', SECONDS),
  },
};
