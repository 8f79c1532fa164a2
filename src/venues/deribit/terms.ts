import { end, inBase, leverage, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; margins grow with the position by figures that only a help page has. */
export const TERMS: TermsTable = {
  call: 'public/get_instruments',
  evidence:
    'recorded list of all USDC perpetuals; documentation "get_instruments": `min_trade_amount` of linear futures is in coins, orders are multiples of `contract_size`, `tick_size` is the smallest step (`tick_size_steps`, empty on perpetuals, has larger ones above a price); a perpetual without an end expires in the year 3000',
  confidence: 'high',
  fields: {
    tick: tick('tick_size'),
    lot: inBase('contract_size'),
    minSize: inBase('min_trade_amount'),
    maxLeverage: leverage('max_leverage'),
    delistsAt: end('expiration_timestamp'),
  },
};
