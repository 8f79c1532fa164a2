import { readNumber } from '../../domain/read.ts';
import type { Usd } from '../../domain/units.ts';
import {
  baseDecimals,
  inBase,
  inQuote,
  leverageOfMargin,
  margin,
  priceDecimals,
  type Term,
  type TermsTable,
} from '../grammar/terms.ts';

/** Margins are counted in parts of 10,000. */
const PARTS = 1e-4;

/** The venue writes this where there is no limit. */
const NO_LIMIT = 2 ** 56;
const STATED_LIMIT = inQuote('open_interest_limit');

export const OPEN_INTEREST_LIMIT: Term<Usd | null> = {
  ...STATED_LIMIT,
  unit: 'USDC, 2^56 without a limit',
  read: (raw, row) => (readNumber(raw) === NO_LIMIT ? null : STATED_LIMIT.read(raw, row)),
};

/** Terms of contracts, as the list states them; a limit of open interest stands in the stream alone. */
export const TERMS: TermsTable = {
  call: 'v1/orderBookDetails',
  evidence:
    'recorded 2026-04: `min_initial_margin_fraction` 200, `maintenance_margin_fraction` 120 of a market that the venue names with 50 times and 1.2 %; ccxt for the decimals',
  confidence: 'high',
  fields: {
    tick: priceDecimals('price_decimals'),
    lot: baseDecimals('size_decimals'),
    minSize: inBase('min_base_amount'),
    minNotionalUsd: inQuote('min_quote_amount'),
    maxLeverage: leverageOfMargin('min_initial_margin_fraction', PARTS),
    initialMargin: margin('min_initial_margin_fraction', PARTS),
    maintenanceMargin: margin('maintenance_margin_fraction', PARTS),
  },
  besideMetrics: {
    call: 'stream market_stats',
    evidence:
      'recorded 2026-04 beside `open_interest`, with its six decimals of USDC: 2^56 on both markets, which is no limit; whether it counts one side, as that does, is not said: it is stated as published',
    confidence: 'medium',
    fields: { openInterestLimitUsd: OPEN_INTEREST_LIMIT },
  },
};
