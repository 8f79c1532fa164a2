import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueCall, VenueRequest } from './call.ts';

/** A history endpoint returns funding payments, marks, open interest, or hourly volume. */
export type BackfillKind = 'funding' | 'mark' | 'interest' | 'volume';

/** A history endpoint for the back-fill of one contract. */
export interface BackfillEndpoint {
  readonly kind: BackfillKind;
  /** Decodes the answers. */
  readonly call: VenueCall;
  /**
   * The span [from, to); an endpoint without time parameters returns its latest points, or those of a page from 1 on.
   * `size`: points of a page, `points` where absent.
   */
  readonly request: (
    instrument: Instrument,
    from: UnixMs,
    to: UnixMs,
    page?: number,
    size?: number,
  ) => VenueRequest;
  /** Points that one answer has at most. */
  readonly points: number;
  /** Distance of the points, ms; the contract's funding interval where it is absent. */
  readonly stepMs?: number;
  /** The age of the oldest point that the venue returns, ms; absent = to the listing, or not stated. */
  readonly reachMs?: number;
  /** Where the points come by number of page, newest first: the most pages that are asked for. */
  readonly pages?: number;
  /** The rows that an answer says there are in all, where it does; undefined where it cannot be read. */
  readonly totalOf?: (payload: unknown) => number | undefined;
  /** The only end of the span that the endpoint takes: its answers may reach beyond the other one. */
  readonly takesOnly?: 'from' | 'to';
  /** Only the newest points are available: there is no second page. */
  readonly isLatestOnly?: true;
  /** Time after which it is asked again for what has come since, ms, where no second way of the venue tells it. */
  readonly repeatMs?: number;
  /** Weight of one request; 1 when absent. */
  readonly weight?: number;
  /** Budget pool, `default` when absent. */
  readonly pool?: string;
}
