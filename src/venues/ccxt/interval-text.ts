import { readHours } from '../../domain/read.ts';
import type { Hours } from '../../domain/units.ts';

const NAMED = /^(\d+(?:\.\d+)?)(m|h|d)$/;
const IN_HOURS = { m: 1 / 60, h: 1, d: 24 } as const;
/** Whole minutes as milliseconds: what ccxt passes on where it has no name for an interval. */
const MILLISECONDS = /^\d+0000$/;
const PER_MS = 1 / 3_600_000;

/** A unified interval text in hours: `8h`, `480m`, `1d`, `7200000`. Anything else is unknown. */
export function readIntervalText(text: unknown): Hours | undefined {
  if (typeof text !== 'string') return undefined;
  if (MILLISECONDS.test(text)) return readHours(text, PER_MS);
  const [, count, unit] = NAMED.exec(text) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined;
  return readHours(count, IN_HOURS[unit]);
}
