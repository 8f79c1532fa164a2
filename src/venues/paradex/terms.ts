import { readNumber } from '../../domain/read.ts';
import type { ContractRow } from '../grammar/field.ts';
import {
  end,
  inBase,
  inQuote,
  leverageOfMargin,
  margin,
  type Term,
  type TermsTable,
  term,
  tick,
} from '../grammar/terms.ts';
import { wirePath } from '../grammar/wire-path.ts';

const INITIAL = 'delta1_cross_margin_params.imf_base';
const initialOf = wirePath(INITIAL);
const shareOf = wirePath('delta1_cross_margin_params.mmf_factor');

/** The maintenance margin is a share of the initial one. */
function readMaintenance(stated: unknown, { wire }: ContractRow): number | undefined {
  const initial = readNumber(initialOf(wire));
  const share = readNumber(stated);
  if (initial === undefined || share === undefined || !(share > 0 && share <= 1)) return undefined;
  return initial > 0 && initial <= 1 ? Number((initial * share).toPrecision(13)) : undefined;
}

const maintenance: Term<number> = {
  ...term('delta1_cross_margin_params.mmf_factor', 'share of imf_base', readMaintenance),
  appliesTo: ({ wire }) => readNumber(initialOf(wire)) !== undefined,
  raw: shareOf,
};

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'v1/markets',
  evidence:
    'recorded 2024; OpenAPI document of 2026-08 (tradeparadex/paradex-docs): `position_limit` counts the base currency, `min_notional` USD at the mark; cross margin requirement: initial margin is 1 / leverage, `imf_base` that of the largest (release notes of 2025-07), maintenance the share `mmf_factor` of it',
  confidence: 'high',
  fields: {
    tick: tick('price_tick_size'),
    lot: inBase('order_size_increment'),
    minNotionalUsd: inQuote('min_notional'),
    maxLeverage: leverageOfMargin(INITIAL),
    initialMargin: margin(INITIAL),
    maintenanceMargin: maintenance,
    positionLimit: inBase('position_limit'),
    delistsAt: end('expiry_at'),
  },
};
