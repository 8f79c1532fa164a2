import type { ContractTerms } from '../../domain/contract-terms.ts';
import { isWire, type Wire, wireArray } from '../../domain/read.ts';
import { asBase, asPrice } from '../../domain/units.ts';
import { inBase, inQuote, leverage, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** The name under which `withTier` puts the first tier of margins into a row. */
const TIER = 'leverageMargins';

/** Terms of contracts, as the list of products states them. */
export const TERMS: TermsTable = {
  call: 'public/products',
  evidence:
    'recorded 2025 and later; documentation of 2026-01 "Set RiskLimit": `leverageMargin` names the tiers of margins in `leverageMargins`, of which the first is of the smallest position; `maxOI` was -1 wherever it was seen and is not read',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('qtyStepSize'),
    minNotionalUsd: inQuote('minOrderValueRv'),
    maxLeverage: leverage('maxLeverage'),
    maintenanceMargin: margin(`${TIER}.0.maintenanceMarginRateRr`),
  },
};

/** Puts the tiers of margins that a row names into it. @param body the content of the answer */
export function withTiers(body: unknown, rows: readonly unknown[]): readonly unknown[] {
  const all = isWire(body) ? (wireArray(body.leverageMargins) ?? []) : [];
  const tiers = new Map(all.filter(isWire).map(({ index_id: id, items }) => [id, items]));
  if (tiers.size === 0) return rows;
  return rows.map((row) => (isWire(row) ? withTier(row, tiers.get(row.leverageMargin)) : row));
}

const withTier = (row: Wire, items: unknown): Wire => (items === undefined ? row : { ...row, [TIER]: items });

const tidy = (value: number): number => Number(value.toPrecision(13));

/** Terms that were read of a base as named, per one coin of it. @param count coins in the base */
export function perCoin(terms: ContractTerms, count: number): ContractTerms {
  const found: { -readonly [K in keyof ContractTerms]: ContractTerms[K] } = { ...terms };
  if (terms.tick !== undefined) found.tick = asPrice(tidy(terms.tick / count));
  if (terms.lot !== undefined) found.lot = asBase(tidy(terms.lot * count));
  return found;
}
