import type { BaseQty } from '../../domain/units.ts';
import { asBase } from '../../domain/units.ts';
import { derived } from '../grammar/field.ts';
import { end, type Term, type TermsTable, tick } from '../grammar/terms.ts';

/** Orders are made in whole contracts. */
const oneContract: Term<BaseQty> = {
  ...derived(({ units: { perContract } }) => (perContract === undefined ? undefined : asBase(perContract))),
  place: 'orders are of whole contracts',
  unit: 'rule',
};

/** Terms of contracts, as the list states them; leverage and margins are in calls per contract, which are not made. */
export const TERMS: TermsTable = {
  call: 'linear-swap-api/v1/swap_contract_info',
  evidence:
    'recorded 2021; v1 documentation: the volume of an order is a whole number of contracts; `delivery_time` is blank of a swap that goes on. `create_date` is the day before the recording on every row, BTC-USDT of 2020 among them: no day of a listing, and not read',
  confidence: 'medium',
  fields: {
    tick: tick('price_tick'),
    lot: oneContract,
    minSize: oneContract,
    delistsAt: end('delivery_time'),
  },
};
