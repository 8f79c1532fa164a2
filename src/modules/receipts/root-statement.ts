import { dayNumber } from '../../pay/sale-log.ts';
import { DAY_MS } from '../../runtime/duration.ts';

export const ROOT_TYPE = 'perpmeter-root';
export const ROOT_VERSION = 1;

/** The service's signed statement about all receipts of a day. */
export interface RootPayload {
  readonly version: number;
  /** UTC. */
  readonly day: string;
  /** Number of its receipts. */
  readonly size: number;
  /** Root of their tree, hex. */
  readonly root_sha256: string;
  /** Root of the day before that has receipts, hex; null for the first. */
  readonly previous_sha256: string | null;
  readonly issued_at: string;
}

/** `2026-11-22` of a number of a day. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The UTC day of a time, as text; empty for no time. */
export const dayOf = (at: number): string => (Number.isNaN(at) ? '' : dayText(dayNumber(at)));
