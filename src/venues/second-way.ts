import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import type { BackfillEndpoint, BackfillKind } from './backfill-endpoint.ts';
import type { VenueCall, VenueRequest } from './call.ts';

/** Another way to a contract's values than the calls and streams of its row, with a decoder of its own. */
export interface SecondWay {
  readonly call: VenueCall;
  readonly request: (instrument: Instrument, now: UnixMs) => VenueRequest;
  /** A second request, where one answer alone does not say it: the fields of both are read as those of one. */
  readonly beside?: VenueRequest;
  /** Weight of one request; 1 when absent. */
  readonly weight?: number;
  /** Budget pool, `default` when absent. */
  readonly pool?: string;
  /** One answer is about all contracts. */
  readonly isBulk?: true;
}

/** Further ways to read a venue's rows, besides its history endpoints. */
export interface SecondWays {
  readonly ways: readonly SecondWay[];
  /** Fields that no further way states, with the reason; published with the comparisons. */
  readonly missing: string;
}

/**
 * The span of history that is requested: enough for the newest point, and of volume for a day of whole hours.
 */
const SPAN_STEPS: Readonly<Record<Exclude<BackfillKind, 'funding'>, number>> = {
  mark: 2,
  interest: 3,
  volume: 26,
};
/** The span of payments that is requested: one of the longest interval, and the one before it. */
export const SECOND_PAYMENTS_MS = 50 * HOUR_MS;
/**
 * As many payments, of a contract that pays each hour, where an endpoint takes a number. A contract of few
 * traders is asked about twice a day, and where a venue has no endpoint of the back-fill nobody asks for what
 * lies between.
 */
export const SECOND_PAYMENTS = SECOND_PAYMENTS_MS / HOUR_MS;
/** An endpoint that only answers with its whole past is no second way: one answer would weigh more than a day of others. */
const MAX_POINTS = 5000;

function ofEndpoint(endpoint: BackfillEndpoint): readonly SecondWay[] {
  const { kind, call, points, stepMs = HOUR_MS, weight, pool } = endpoint;
  if (points > MAX_POINTS) return [];
  const spanMs = kind === 'funding' ? SECOND_PAYMENTS_MS : SPAN_STEPS[kind] * stepMs;
  const request: SecondWay['request'] = (instrument, now) =>
    endpoint.request(instrument, (Math.floor((now - spanMs) / stepMs) * stepMs) as UnixMs, now);
  const terms = { ...(weight !== undefined && { weight }), ...(pool !== undefined && { pool }) };
  return [{ call, request, ...terms }];
}

/**
 * All second ways of a venue: those it names, and its other history endpoints, which serve no row of the present. A call
 * that it names is asked as it says there: a page of the back-fill may be far more than a look at what is newest.
 */
export function secondWaysOf({
  second,
  backfill = [],
}: {
  readonly second?: SecondWays;
  readonly backfill?: readonly BackfillEndpoint[];
}): readonly SecondWay[] {
  const ways = second?.ways ?? [];
  const named = new Set(ways.map(({ call }) => call));
  return [...ways, ...backfill.filter(({ call }) => !named.has(call)).flatMap(ofEndpoint)];
}
