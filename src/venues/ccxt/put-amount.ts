import type { QuotePatch } from '../../domain/quote.ts';
import { readBase, readUsd } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import type { UnitAmount } from './amount-unit.ts';
import { PUBLISHED } from './published.ts';

type Metric = 'volume24h' | 'openInterest';

/** ccxt's two figures of one amount, unread. */
export interface Figures {
  readonly amount: unknown;
  readonly value: unknown;
}

/**
 * Puts an amount whose units are known: the figure as published, ticker units, and USD. An unreadable figure and one
 * whose unit nothing tells become rejects.
 *
 * @param multiplier ticker units in one unit of the base as named
 */
export function putAmount(
  patch: QuotePatch,
  metric: Metric,
  { amount, value }: Figures,
  counted: UnitAmount | undefined,
  multiplier: number,
  rejects: Reject[],
): void {
  const unreadable = (figure: unknown) => (readBase(figure) === undefined ? figure : undefined);
  const stated = { base: counted?.base ?? unreadable(amount), quote: counted?.value ?? unreadable(value) };
  const units = { multiplier, perContract: undefined };
  if (metric === 'openInterest') putOpenInterest(patch, PUBLISHED.openInterest, stated, units, rejects);
  else putVolume(patch, PUBLISHED.volume, stated, units, rejects);
  const raw = readBase(amount) ?? readUsd(value);
  if (raw !== undefined) patch[`${metric}Raw`] = raw;
  if (counted === undefined) {
    rejects.push({ symbol: patch.symbol, reason: 'unknown_unit', detail: `${metric}Base` });
  }
}
