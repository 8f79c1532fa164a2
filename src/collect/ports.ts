import type { DataKind, Decoded } from '../domain/decoded.ts';
import type { BookSource } from '../domain/depth-quote.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { ListReport } from '../domain/list-report.ts';
import type { FundingPoint, QuotePatch } from '../domain/quote.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo, VenueStatus } from '../domain/venue.ts';
import type { BookFrame } from '../venues/book-frame.ts';

/** Keeps kinds of decoded data that are not of the live table. */
export interface DataStore {
  readonly kinds: readonly DataKind[];
  /** Takes the content of one payload; at least one of these lists is not empty. */
  take(venue: VenueId, decoded: Decoded, at: UnixMs): void;
}

/** A receiver of decoded data. Implemented by `market`. */
export interface MarketSink {
  /** A venue is tracked from now on. Called before anything else of it. */
  venue(info: VenueInfo, refreshMs: number): void;
  /**
   * The venue's whole list of live linear perpetuals; contracts missing from it are delisted.
   *
   * @param report of a list that the venue has answered; absent where contracts go for another reason
   */
  instruments(venue: VenueId, list: readonly Instrument[], at: UnixMs, report?: ListReport): void;
  /** Changes of quotes received at `at`. */
  quotes(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void;
  /** Stores of all other kinds. */
  readonly stores?: readonly DataStore[];
}

/**
 * Keeps settled payments that a venue was asked for by themselves, received at `at`: they may come long after the
 * rows that they are of, so that no rule holds them against these.
 */
export type PaymentSink = (venue: VenueId, funding: readonly FundingPoint[], at: UnixMs) => void;

/**
 * A book can be quoted only in the condition `good`. `truncated`: what is left of it does not reach as far as
 * its quotes need, because only part of the venue's book was ever here; it must restart.
 */
export type BookCondition = 'good' | 'crossed' | 'truncated';

/** The way in which a snapshot was obtained. */
export interface BookOrigin {
  readonly source: BookSource;
  /** Levels a side that the message can have at most; a side that is as long may go on behind them. */
  readonly limit?: number | undefined;
}

/** The divergence of a kept book from a snapshot. */
export interface BookDivergence {
  /** Part of the best levels of both sides, 0..1, that are the same in price and size. */
  readonly equal: number;
  /** Largest distance of a best price from the other's, bps; 0 where both books lack that side. */
  readonly touchBps: number;
}

/** One kept book, as the collector writes it. */
export interface BookWriter {
  /** A snapshot. It is served from now on. */
  replace(frame: BookFrame, at: UnixMs, origin: BookOrigin): BookCondition;
  /** Changes that are known to follow what is kept. */
  apply(frame: BookFrame, at: UnixMs): BookCondition;
  /** The kept book was found to be right at this time, without a change. */
  confirm(at: UnixMs): void;
  /** The kept book may be wrong: it is not served until it is replaced. */
  invalidate(): void;
  compare(frame: BookFrame): BookDivergence;
  /** The contract is gone. */
  close(): void;
}

/** A store of live books. Implemented by `market`. */
export interface BookSink {
  /** Begins a contract's book. A book of the same contract that is there is closed. */
  open(contract: Instrument, options: { readonly uncrosses: boolean }): BookWriter;
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
  /**
   * The reason for which the last failed request failed; undefined while the last one succeeded. No secrets.
   */
  readonly lastError: string | undefined;
  /** It is collected no more, such as a sub-venue that its parent lists no longer: down for good, which is no fault. */
  readonly retired?: true;
  /** It is not collected for now, because the operator wants it so; its status follows from the age of what is left. */
  readonly paused?: true;
}

/** Read side of venue health. */
export interface HealthBoard {
  /** Of the venues that are collected now. */
  all(): readonly VenueHealth[];
  /** Also of one that is retired. */
  of(venue: VenueId): VenueHealth | undefined;
}
