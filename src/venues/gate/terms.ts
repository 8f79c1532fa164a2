import { readNumber } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
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

const END = end('delisted_time', SECONDS);

/** The documentation's example of a contract that trades has the time of its launch there, which is no end. */
const endTerm: Term<UnixMs> = {
  ...END,
  unit: 's, after launch_time',
  raw: (wire) => {
    const launch = readNumber(wire.launch_time);
    const ends = readNumber(END.raw(wire));
    return launch !== undefined && ends !== undefined && ends <= launch ? undefined : END.raw(wire);
  },
};

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'v4/futures/usdt/contracts',
  evidence:
    'recorded 2023-05 and 2026-07; v4 documentation of contracts (gateapi-python, Contract): `risk_limit_max` is the maximum risk limit that the contract allows, deprecated since tiers have a call of their own; `delisting_time` is when only reductions are left, `delisted_time` the end',
  confidence: 'high',
  fields: {
    tick: tick('order_price_round'),
    lot: lotTerm,
    minSize: inContracts('order_size_min'),
    maxLeverage: leverage('leverage_max'),
    maintenanceMargin: margin('maintenance_rate'),
    positionLimitUsd: inQuote('risk_limit_max'),
    delistsAt: endTerm,
  },
};
