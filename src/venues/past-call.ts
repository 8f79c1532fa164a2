import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueRequest } from './call.ts';

/** What of a contract's past is asked for: payments, marks, open interest, or volume traded by the hour. */
export type PastKind = 'funding' | 'mark' | 'interest' | 'volume';

/** A call that tells the past of one contract. Its answers are decoded by the adapter's call that matches its path. */
export interface PastCall {
  readonly kind: PastKind;
  /** The span [from, to); a call without time parameters tells its latest points, whatever is asked. */
  readonly request: (instrument: Instrument, from: UnixMs, to: UnixMs) => VenueRequest;
  /** Points that one answer has at most. */
  readonly points: number;
  /** Distance of the points, ms; the contract's funding interval where it is absent. */
  readonly stepMs?: number;
  /** How far back the venue's answers go, ms; absent = to the listing, or not stated. */
  readonly reachMs?: number;
  /** The newest points are all there is to be had: there is no second request for what lies before them. */
  readonly isLatestOnly?: true;
  /** Weight of one request; 1 when absent. */
  readonly weight?: number;
  /** Budget pool, `default` when absent. */
  readonly pool?: string;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A GET about one contract. */
export function pastRequest(
  instrument: Instrument,
  path: string,
  query: Readonly<Record<string, string | number>>,
): VenueRequest {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method: 'GET', path: `${path}?${search}`, symbol: instrument.symbol };
}

/** Whole seconds of a time. */
export const seconds = (at: UnixMs): number => Math.floor(at / 1000);
