import type { BookUpdate } from '../domain/book.ts';
import type { Decoded } from '../domain/decoded.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo, VenueStatus } from '../domain/venue.ts';

/** Where decoded data goes. Implemented by `market`; later by `history` for settled points. */
export interface MarketSink {
  /** A venue is tracked from now on. Called before anything else of it. */
  venue(info: VenueInfo, refreshMs: number): void;
  /** The venue's whole list of live linear perpetuals; contracts missing from it are delisted. */
  instruments(venue: VenueId, list: readonly Instrument[], at: UnixMs): void;
  /** Changes of quotes received at `at`. */
  quotes(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void;
  /** Book snapshots and deltas, in the order of arrival. */
  books?(venue: VenueId, updates: readonly BookUpdate[], at: UnixMs): void;
  /** Settled funding and history points, once something keeps them. */
  history?(venue: VenueId, decoded: Decoded, at: UnixMs): void;
}

/** Health of one venue, judged by the age of its data. */
export interface VenueHealth {
  readonly venue: VenueId;
  readonly status: VenueStatus;
  /** Time of the newest data: receipt of the last quotes, or the venue's own stamp where it proves freshness. */
  readonly lastUpdateAt: UnixMs | undefined;
  /** When the present status began. */
  readonly since: UnixMs;
  /** Faulty rows or fields in the last five minutes (rightly filtered rows do not count). */
  readonly rejects5m: number;
  /** All rejects since start by reason. */
  readonly rejectsByReason: Readonly<Record<string, number>>;
  /** Failed requests over all requests in the last five minutes, 0..1; undefined without a request. */
  readonly errorRate5m: number | undefined;
  /** Why the last failed request failed; undefined while the last one succeeded. No secrets. */
  readonly lastError: string | undefined;
}

/** Read side of venue health. */
export interface HealthBoard {
  all(): readonly VenueHealth[];
  of(venue: VenueId): VenueHealth | undefined;
}
