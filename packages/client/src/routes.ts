/**
 * Made from the route table of the service by `npm run build:client`: change it there.
 */
import type { As, CallOptions, Result } from './result.ts';

/** What kind of asset the contract follows */
export type AssetClass = 'crypto' | 'equity' | 'index' | 'commodity' | 'fx' | 'etf' | 'prelaunch' | 'unknown';

/** Fields that are null, with the reason. not_followed: no fresh order book of the contract is known; too_thin: what is visible within 100 bps of the mid does not fill the size; continuous_funding: funding accrues every moment, so there is no next settlement; interval_unknown: the venue does not state its funding interval at the moment; rate_unknown: quote currencies differ, and no venue’s prices tell a rate between them; not_published: the venue does not publish it; passed: the last stated settlement has passed and the next is not named; past_too_short: the payments that are stored cover too little of the time; one_sided: a side of the book is empty; not_reverting: deviations from the mean have not shrunk, or too few settlements are known; not_positive: the spread is not above zero; no_precedent: the spread has not been as wide before, or not long enough ago; unknown: not stated at the moment, or too old to be shown */
export type NullReasons = Readonly<Record<string, 'not_followed' | 'too_thin' | 'continuous_funding' | 'interval_unknown' | 'rate_unknown' | 'not_published' | 'passed' | 'past_too_short' | 'one_sided' | 'not_reverting' | 'not_positive' | 'no_precedent' | 'unknown'>>;

/** What a venue publishes as an amount */
export type PublishedAmount = {
  /** Call and field of the venue's own number */
  readonly field: string;
  /** What it counts */
  readonly unit: 'contracts' | 'base' | 'quote' | 'mixed';
  /** Whether each contract is counted once or twice; what is served is counted once */
  readonly sides: 'one' | 'two' | 'unknown';
  /** What the sides are known by */
  readonly evidence: string;
  /** Month or day of the evidence */
  readonly date: string;
  /** How sure the sides are */
  readonly confidence: 'high' | 'medium' | 'low';
};

/** The shown and second value furthest apart */
export type WorstReading = {
  /** The venue's own symbol */
  readonly venue_symbol: string;
  /** Call that was asked the second time */
  readonly way: string;
  /** When both were compared */
  readonly at: string;
  /** Value as it was shown */
  readonly shown: number;
  /** Value as the second way had it */
  readonly second: number;
  /** How far they lie apart */
  readonly difference: number;
  /** What was allowed */
  readonly tolerance: number;
};

/** A contract of a funding spread */
export type RateLeg = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** Fraction per interval of the venue */
  readonly rate: number | null;
  /** Hours between settlements; null where the venue does not say */
  readonly funding_interval_hours: number | null;
  /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
  readonly funding_cap: number | null;
  /** The smallest, likewise */
  readonly funding_floor: number | null;
  /** Rate scaled to eight hours; null when the interval is unknown */
  readonly rate_8h: number | null;
  /** Quote currency per unit of the base asset */
  readonly mark_price: number | null;
  /** Time of the rate */
  readonly rate_updated_at: string | null;
  /** Time of the mark price */
  readonly mark_updated_at: string | null;
  readonly null_reasons?: NullReasons;
};

/** A spread of rates scaled to eight hours */
export type NormalizedSpread = {
  /** (rate_8h short - rate_8h long) x 10000 */
  readonly spread_8h_bps: number;
  /** The same in percent a year */
  readonly apr_spread_pct: number;
  readonly short: RateLeg;
  readonly long: RateLeg;
  /** Time of the older leg */
  readonly updated_at: string;
};

/** A contract of the funding signal */
export type SignalLeg = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** Funding rate per interval, a fraction */
  readonly rate: number | null;
  /** Hours between two payments */
  readonly funding_interval_hours: number | null;
  /** The rate scaled to eight hours */
  readonly rate_8h: number | null;
  /** Next settlement; null where it is not known, or funding is continuous */
  readonly next_funding_time: string | null;
  /** Mark price per unit of the base asset */
  readonly mark_price: number | null;
  /** Best bid, of the book that the leg is priced by where there is one */
  readonly best_bid: number | null;
  /** Best ask, of the same */
  readonly best_ask: number | null;
  /** When the venue last confirmed that book; null without one */
  readonly book_updated_at: string | null;
  /** Public taker fee of the contract, base tier */
  readonly taker_fee_bps: number;
  /** Of entering 1,000 USD, against the mid */
  readonly slippage_1k_bps: number | null;
  /** Of entering 5,000 USD */
  readonly slippage_5k_bps: number | null;
  /** Of entering 10,000 USD */
  readonly slippage_10k_bps: number | null;
  /** Time of the rate */
  readonly updated_at: string;
  /** Time of the rate */
  readonly rate_updated_at: string | null;
  /** Time of the mark price */
  readonly mark_updated_at: string | null;
  readonly null_reasons?: NullReasons;
};

/** A contract of a price spread */
export type PriceLeg = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** As the venue quotes it, per unit of the ticker */
  readonly mark_price: number;
};

/** What was stored wrong, and how it reads now */
export type Correction = {
  /** What the stored value is times; null where it cannot be known and is left out */
  readonly factor: number | null;
  /** What was recorded before this moment is concerned */
  readonly recorded_before: string;
  /** As of an earlier moment the answer is uncorrected */
  readonly known_at: string;
  /** What was wrong */
  readonly reason: string;
};

/** All venues whose perpetual futures are tracked, with the identifier to use in requests, the number of live contracts, the funding intervals seen and the base-tier taker fee. */
export type VenuesListAnswer = readonly {
  /** Number of the venue: fixed, never reused */
  readonly source_id: number;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly name: string;
  /** Name as the venue writes it */
  readonly display_name: string;
  /** Centralized or decentralized */
  readonly type: 'cex' | 'dex';
  /** Assets of which live linear perpetuals are tracked */
  readonly tracked_symbols: number;
  /** Funding intervals seen, hours, ascending */
  readonly funding_intervals: readonly number[];
  /** Taker fee of the base tier, basis points */
  readonly taker_fee_bps: number | null;
  /** The venue this one is a sub-venue of */
  readonly parent: string | null;
  /** Whether the venue publishes an index price that is not its own mark */
  readonly has_index: boolean;
  /** Whose reading the rows are: native decoders, or the ccxt library's unified calls */
  readonly source: 'native' | 'ccxt';
  /** What the venue publishes as open interest */
  readonly open_interest: PublishedAmount;
  /** What the venue publishes as open interest of the past, where that call counts otherwise */
  readonly historical_open_interest: PublishedAmount | null;
  /** What the venue publishes as 24 h volume */
  readonly volume_24h: PublishedAmount;
  /** Interface that the rows are read from */
  readonly verified: {
    /** Version of the interface, and host where that tells versions apart */
    readonly version: string;
    /** Day of the newest public evidence that it is current */
    readonly date: string;
    /** That evidence */
    readonly source: string;
  };
}[];

/** Liveness and freshness of every tracked venue, judged by the age of its data and never by the connection: status, age, rejected rows and failed requests of the last five minutes, what was left out by reason, and how much of the funding history is stored. */
export type VenuesHealthAnswer = readonly {
  /** Number of the venue: fixed, never reused */
  readonly source_id: number;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Centralized or decentralized */
  readonly type: 'cex' | 'dex';
  /** live: data within three refresh periods; stale: older, up to 15 minutes; down: older or never */
  readonly status: 'live' | 'stale' | 'down';
  /** When data last came in */
  readonly last_update_at: string | null;
  /** Seconds since data last came in */
  readonly age_seconds: number | null;
  /** Assets of which live linear perpetuals are tracked */
  readonly tracked_symbols: number;
  /** Tracked assets with a fresh mark */
  readonly fresh_symbols: number;
  /** Order books kept live */
  readonly books: number;
  /** Faulty rows or fields in the last five minutes */
  readonly rejects_5m: number;
  /** What was left out since the service started, by reason; faults are malformed, unreadable_symbol, missing_field, out_of_range, unknown_unit, position_mismatch, error_body, unexpected_shape, identity_undecided counts contracts that wait now for the store of identities, identity_refused those whose name it refuses, the rest is rightly out of scope */
  readonly rejects_by_reason: Readonly<Record<string, number>>;
  /** Contracts of which funding payments are stored; null without a history, and before they are counted */
  readonly settled_contracts: number | null;
  /** Those of which nine tenths of the payments of the last 30 days are stored */
  readonly settled_contracts_30d: number | null;
  /** Failed requests over all requests in the last five minutes, 0 to 1 */
  readonly error_rate_5m: number | null;
  /** Why the last request failed; null while the last one succeeded */
  readonly last_error: string | null;
  /** When the present status began */
  readonly since: string | null;
}[];

/** State of the service itself: how many venues are live, how many rows the live table has, whether history is written and payments can be settled, how late the event loop is, what is given up because the machine is too slow, and whether the data is live or simulated. */
export type HealthAnswer = {
  /** degraded: a part below is not as it should be */
  readonly status: 'ok' | 'degraded';
  /** Whether the venues behind the data are real */
  readonly data: 'live' | 'simulated';
  /** Version of the service */
  readonly version: string;
  /** When the service started */
  readonly started_at: string;
  /** Seconds since then */
  readonly uptime_seconds: number;
  /** Whether it is about to end: a load balancer should give it nothing more */
  readonly stopping: boolean;
  /** How many venues have which status */
  readonly venues: {
    /** Venues live */
    readonly live: number;
    /** Venues stale */
    readonly stale: number;
    /** Venues down */
    readonly down: number;
  };
  /** Quality of each venue, by the rule that /v1/data-quality/summary states */
  readonly grades: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** By the rule in docs/quality.md; null before anything was looked at */
    readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null;
  }[];
  /** Rows in the live table */
  readonly rows: number;
  /** What this process does: read venues, answer for money, keep history */
  readonly roles: readonly ('collect' | 'sell' | 'record')[];
  /** The feed between processes that collect and processes that sell */
  readonly feed: {
    /** What carries data from who collects to who sells: this process itself, or a NATS server */
    readonly kind: 'embedded' | 'nats';
    /** Whether its server answers */
    readonly ok: boolean;
    /** Venues that this process publishes: it holds their lease */
    readonly holds: number;
    /** Venues of which something published is missing here, or whose holder is silent: nothing of them is sold */
    readonly behind: readonly string[];
    /** Venues that this process does not reach and has left to another that does: that one publishes them */
    readonly unreached: readonly string[];
  } | null;
  /** Where it is kept which asset each contract is, and the number of each venue */
  readonly identities: {
    /** On this machine, or on a server that several hosts share */
    readonly kind: 'embedded' | 'postgres';
    /** Whether the store answered when last asked; what is known stays in use without it */
    readonly ok: boolean;
    /** Contracts and venues that have no identity or number until it answers */
    readonly waiting: number;
    /** Contracts and venues that have none since it refuses what they are called; the log has the reason */
    readonly refused: number;
  } | null;
  /** The longest that the service itself was late within the last twenty seconds: a slow machine, not slow venues */
  readonly event_loop_lag_seconds: number | null;
  /** What is given up for now, because the machine is too slow for all of it */
  readonly overload: {
    /** How many kinds of work are given up, 0 to 4 */
    readonly level: number;
    /** Which, the first given up first: back-fill, streams of order books that nobody reads, order books over REST in rotation, samples of every minute. Funding, marks and payments never are */
    readonly shed: readonly ('backfill' | 'unread_books' | 'book_rotation' | 'sampling')[];
    /** When the level last changed; null where it did not since start */
    readonly since: string | null;
    /** What was seen of the event loop when work was last given up */
    readonly reason: string | null;
  } | null;
  /** The history store */
  readonly store: {
    /** Whether history is being written; null without a history store */
    readonly ok: boolean | null;
    /** writer: this process writes the history; standby: it reads, and writes as soon as the process that does is gone; reader: it only reads */
    readonly part: 'writer' | 'standby' | 'reader' | null;
    /** Where the history lies: in the data folder of this process, on one ClickHouse server, or on a cluster of them; null without a history store */
    readonly engine: 'embedded' | 'server' | 'cluster' | null;
    /** Age of the newest stored sample */
    readonly lag_seconds: number | null;
    /** lagging: samples wait in memory; read_only: no more can wait and new ones are lost, until the store takes them again */
    readonly mode: 'writing' | 'lagging' | 'read_only' | null;
    /** Why it is not writing */
    readonly reason: string | null;
    /** Rows that wait in memory to be written */
    readonly waiting_rows: number | null;
    /** Rows since start that came when no more could wait; the spans are noted as gaps */
    readonly lost_rows: number | null;
    /** Contracts whose past is back-filled to its end, percent; null without a back-fill */
    readonly backfill_pct: number | null;
    /** Venues that have not given all of their past; they are asked again */
    readonly backfill_incomplete: readonly {
      /** Venue identifier, lower case, as in /v1/venues/list */
      readonly venue: string;
      /** Contracts that were asked about and are not whole; null where none is shown yet */
      readonly contracts: number | null;
    }[] | null;
    /** The same of BTC, ETH, SOL, XRP and DOGE alone */
    readonly backfill_majors_pct: number | null;
  };
  /** The payment gate */
  readonly payments: {
    /** Who settles; off means that nothing is charged */
    readonly mode: 'remote' | 'self' | 'sandbox' | 'off';
    /** Whether the facilitator answered when last asked */
    readonly facilitator_ok: boolean | null;
    /** What a settlement is believed on: the chain itself, or the word of the facilitator */
    readonly settlement_proof: 'rpc' | 'facilitator' | null;
    /** Where payments are kept: on this machine, or on a server that several share */
    readonly ledger: 'embedded' | 'postgres' | null;
    /** Whether the ledger answered when last asked; without it nothing is sold */
    readonly ledger_ok: boolean | null;
  };
};

export interface DataQualitySummaryAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** Quality of the data by venue: a grade from A to F by a published rule, what it was marked down for, contracts that break a rule of data quality, incidents that last, share of minutes with a fresh mark and rate, and how often a predicted rate was paid as shown. JSON or CSV. */
export type DataQualitySummaryAnswer = {
  /** Venues */
  readonly count: number;
  /** How grades are made */
  readonly rule: string;
  readonly venues: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** By the rule in docs/quality.md; null before anything was looked at */
    readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null;
    readonly reasons: readonly string[];
    /** By the age of its data */
    readonly status: 'live' | 'stale' | 'down';
    /** Contracts known, one an asset */
    readonly contracts: number;
    /** Contracts that break a rule of data quality now */
    readonly suspect: number;
    /** Incidents that last */
    readonly open_incidents: number;
    /** Minutes of the contracts with a fresh mark, today and yesterday UTC, percent */
    readonly marks_pct: number | null;
    /** The same with a fresh rate */
    readonly rates_pct: number | null;
    /** Payments since start that were held against the rate shown right before */
    readonly predictions_compared: number;
    /** Those that were paid as shown, percent; null where none was compared */
    readonly predictions_met_pct: number | null;
  }[];
};

export interface DataQualityCoverageAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days before the end */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** Coverage by venue, day and field, up to 90 days: contracts known, contracts served, and the share of their minutes that had a value. Marks and rates count where they are fresh; a minute in which the service did not run counts as missing. JSON or CSV. */
export type DataQualityCoverageAnswer = {
  /** Start of the window */
  readonly from: string;
  /** End of the window, not included */
  readonly to: string;
  /** Rows */
  readonly count: number;
  /** By venue, day and metric */
  readonly coverage: readonly {
    /** Day, UTC */
    readonly day: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Field of the row */
    readonly metric: 'mark_price' | 'index_price' | 'funding_rate' | 'funding_interval' | 'next_funding_time' | 'open_interest' | 'volume_24h';
    /** Contracts known, one an asset */
    readonly contracts: number;
    /** Most of them that had a value in one minute */
    readonly served: number;
    /** Minutes of these contracts with a value, percent of the minutes since the first look */
    readonly sampled_pct: number;
  }[];
};

export interface DataQualityGapsAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days before the end */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** Gaps by venue, up to 90 days: spans in which a venue was stale or down, judged by the age of its data, or the service itself did not run; with start, end and reason. JSON or CSV. */
export type DataQualityGapsAnswer = {
  /** Start of the window */
  readonly from: string;
  /** End of the window, not included */
  readonly to: string;
  /** Gaps that lasted at some moment of the window */
  readonly count: number;
  /** The latest first */
  readonly gaps: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** When it began, to the minute */
    readonly start: string;
    /** When it was over; null while it lasts */
    readonly end: string | null;
    /** How long it has lasted */
    readonly minutes: number;
    /** not_running: the service itself did not look */
    readonly reason: 'venue_stale' | 'venue_down' | 'not_running';
  }[];
};

export interface DataQualityIncidentsAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days before the end */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
  /** Incidents on a page; default 1000 */
  readonly limit?: number | undefined;
  /** Incidents to skip; default 0 */
  readonly offset?: number | undefined;
}

/** Incidents of data quality by venue, up to 90 days: every row is held against rules of data quality, and samples against a second reading. Rule, venue, contract, field, start, end, what was seen, and the operator's notes. Rows that an open incident flags are left out of comparisons. A thousand on a page. */
export type DataQualityIncidentsAnswer = {
  /** Start of the window */
  readonly from: string;
  /** End of the window, not included */
  readonly to: string;
  /** Incidents that lasted at some moment of the window */
  readonly count: number;
  /** Those of them that still last */
  readonly open: number;
  /** Incidents on a page */
  readonly limit: number;
  /** Incidents skipped */
  readonly offset: number;
  /** Whether there are incidents after this page */
  readonly has_more: boolean;
  /** The latest first */
  readonly incidents: readonly {
    /** Number of the incident, never reused */
    readonly id: number;
    /** Rule or comparison that was broken; docs/quality.md has each with its threshold */
    readonly rule: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Field it was broken by */
    readonly field: string;
    /** The venue's own symbol; null where the whole venue is meant */
    readonly venue_symbol: string | null;
    /** When it was found */
    readonly start: string;
    /** When the rule held again; null while it does not */
    readonly end: string | null;
    /** What was seen */
    readonly evidence: string;
    /** What the operator says of it, with the time */
    readonly annotations: readonly string[];
  }[];
};

export interface DataQualityAccuracyAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days before the end */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** Values as shown beside the same values read another way at the same venue, and funding payments beside the rates shown before them: compared, agreed, median and p99 difference, the worst case with both values, and where there is no second way, why. Whole UTC days, up to 90. */
export type DataQualityAccuracyAnswer = {
  /** Start of the first day counted */
  readonly from: string;
  /** End of the window, not included */
  readonly to: string;
  /** By venue and field */
  readonly fields: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Field of the rows */
    readonly field: 'funding_rate' | 'funding_interval_hours' | 'next_funding_time' | 'mark_price' | 'index_price' | 'open_interest' | 'volume_24h';
    /** Comparisons with a second way */
    readonly compared: number;
    /** Comparisons within their tolerance */
    readonly agreed: number;
    /** Median difference, to 12 %; null before the first comparison */
    readonly median_difference: number | null;
    /** Difference that 99 of 100 comparisons do not exceed, to 12 % */
    readonly p99_difference: number | null;
    readonly worst: WorstReading | null;
    /** relative: part of the larger amount; rate: fraction per interval */
    readonly difference_unit: 'relative' | 'rate' | 'ms' | 'hours';
    /** That nothing was compared in the window, and what the venue has no second way of; null where something was */
    readonly no_second_way: string | null;
  }[];
  /** Payments beside the rates shown before them */
  readonly settled_against_shown: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** How long before the payment the rate was shown: a minute, an hour, one interval */
    readonly before: 'minute' | 'hour' | 'interval';
    /** Payments that were compared */
    readonly payments: number;
    /** Comparisons within their tolerance */
    readonly agreed: number;
    /** Median difference, to 12 %; null before the first comparison */
    readonly median_difference: number | null;
    /** Difference that 99 of 100 comparisons do not exceed, to 12 % */
    readonly p99_difference: number | null;
    readonly worst: WorstReading | null;
  }[];
  /** How each venue is read a second time */
  readonly venues: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Calls that are asked the second time */
    readonly ways: readonly string[];
    /** Which fields have no second way, and why */
    readonly missing: string;
  }[];
};

export interface DataQualityLatencyAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days before the end */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** Age of the values of all live rows by venue and field, looked at once a minute: time since the venue's own stamp, or since receipt where it gives none; p50, p90 and p99. Values that are no longer shown do not count. Whole UTC days, up to 90. */
export type DataQualityLatencyAnswer = {
  /** Start of the first day counted */
  readonly from: string;
  /** End of the window, not included */
  readonly to: string;
  /** By venue and field */
  readonly ages: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Field of the rows; an index has the age of its mark */
    readonly field: 'funding_rate' | 'mark_price' | 'open_interest' | 'volume_24h';
    /** Values that were looked at, one a contract and minute */
    readonly values: number;
    /** Seconds that half of the values were not older than, to 12 % */
    readonly p50_seconds: number;
    /** Seconds that nine tenths of the values were not older than, to 12 % */
    readonly p90_seconds: number;
    /** Seconds that 99 of 100 of the values were not older than, to 12 % */
    readonly p99_seconds: number;
  }[];
};

export interface DataQualityUnitsAsked {
  /** This venue alone, in any case */
  readonly venue?: string | undefined;
  /** csv has the rows of the list alone; default 'json' */
  readonly format?: 'json' | 'csv' | undefined;
}

/** For every venue and field: what the venue’s own number counts, whether an amount is one- or two-sided, the call and field it is read from, what that is known by, the date of the evidence and the confidence. Made from the tables that the decoders are written by. JSON or CSV. */
export type DataQualityUnitsAnswer = {
  /** Rows */
  readonly count: number;
  readonly units: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** What the venue states */
    readonly field: string;
    /** What it counts, before it is converted */
    readonly unit: string;
    /** Whether an amount counts each contract once or twice; null for what is no amount */
    readonly sides: 'one' | 'two' | 'unknown' | null;
    /** Call and field */
    readonly source: string;
    /** What it is known by */
    readonly evidence: string;
    /** Month or day of the newest evidence of the figure, or of the interface */
    readonly date: string;
    /** high: shown by recorded payloads */
    readonly confidence: 'high' | 'medium' | 'low';
  }[];
};

export interface FundingCurrentAsked {
  /** Base asset, any case; all identities behind the ticker are returned. Omit for all assets */
  readonly symbol?: string | undefined;
  /** Rows on a page; default 100 */
  readonly limit?: number | undefined;
  /** Rows to skip; default 0 */
  readonly offset?: number | undefined;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue?: string | undefined;
  /** Only assets of this class */
  readonly asset_class?: AssetClass | undefined;
  /** Order of the rows, ascending, descending with a - in front, null last; without it by canonical_id and venue */
  readonly sort?: 'rate' | 'rate_8h' | 'annualized_pct' | 'open_interest' | 'volume_24h' | '-rate' | '-rate_8h' | '-annualized_pct' | '-open_interest' | '-volume_24h' | undefined;
  /** true leaves out rows without a rate, and of a venue that is named rows with an old mark or rate: over all venues such rows are left out always; default false */
  readonly fresh?: boolean | undefined;
  /** true adds back rows that failed a check: of identity or dispersion, with the reason; default false */
  readonly include_uncomparable?: boolean | undefined;
  /** With means of past payments; default false */
  readonly settled_means?: boolean | undefined;
}

/** Live funding rates of perpetual futures on all venues, a row per venue and asset: interval, 8h-equivalent rate, mark price, 24h volume, open interest in USD; on request means of past payments. Rows that are not fresh are left out unless one venue is named, those that fail identity or dispersion checks unless asked for. */
export type FundingCurrentAnswer = {
  /** The ticker asked for, or ALL */
  readonly symbol: string;
  /** Whether rows that failed the checks were left out */
  readonly comparable_only: boolean;
  readonly rates: readonly {
    /** Number of the venue */
    readonly source_id: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly symbol: string;
    /** Funding rate, fraction per interval of the venue; positive: longs pay shorts */
    readonly rate: number | null;
    /** The rate is the one last charged; only where the venue states no coming one at this moment */
    readonly rate_settled?: true;
    /** Time of the rate */
    readonly updated_at: string;
    /** Hours between settlements; null where the venue does not say */
    readonly funding_interval_hours: number | null;
    /** Rate scaled to eight hours; null when the interval is unknown */
    readonly rate_8h: number | null;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** Traded in 24 hours, USD */
    readonly volume_24h: number | null;
    /** Open interest, USD, each contract counted once */
    readonly open_interest: number | null;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
    readonly market_open?: boolean;
    /** When a closed market opens again; only where the venue states it */
    readonly opens_at?: string;
    /** Index price per unit of the base asset */
    readonly index_price: number | null;
    /** Next settlement; where the stated one has passed and no other is named, as many whole intervals later */
    readonly next_funding_time: string | null;
    /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
    readonly funding_cap: number | null;
    /** The smallest, likewise */
    readonly funding_floor: number | null;
    /** The rate over a year, percent; null when the interval is unknown */
    readonly annualized_pct: number | null;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    /** Time of the open interest */
    readonly open_interest_updated_at: string | null;
    /** Why the row is not compared with other venues; only on rows that are not */
    readonly uncomparable_reason?: 'identity_uncertain' | 'price_dispersion' | 'multiplier_suspect' | 'placeholder' | 'dead_market' | 'stale' | 'no_mark_price' | 'suspect';
    /** Rule of data quality that the row breaks, where uncomparable_reason is suspect; docs/quality.md has each */
    readonly suspect_reason?: string;
    readonly null_reasons?: NullReasons;
    readonly settled_means?: {
      /** Mean of the payments of 1 d until the last one, scaled to eight hours, fraction */
      readonly rate_8h_1d: number | null;
      /** Mean of the payments of 7 d until the last one, scaled to eight hours, fraction */
      readonly rate_8h_7d: number | null;
      /** Mean of the payments of 30 d until the last one, scaled to eight hours, fraction */
      readonly rate_8h_30d: number | null;
      /** Last payment that is stored */
      readonly last_payment_at: string | null;
      readonly null_reasons?: NullReasons;
    };
  }[];
  /** Rows that match, on all pages */
  readonly total: number;
  /** Rows on a page */
  readonly limit: number;
  /** Rows skipped */
  readonly offset: number;
  /** Whether there are rows after this page */
  readonly has_more: boolean;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface FundingSpreadSymbolAsked {
  /** Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works */
  readonly symbol: string;
}

/** Snapshot of the cross-venue funding spread of one symbol: highest and lowest raw rate, the venues that quote them, their difference in basis points, and how many venues were compared. */
export type FundingSpreadSymbolAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly symbol: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues with a fresh comparable rate */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Highest rate, fraction per interval of that venue */
  readonly max_rate: number;
  /** Lowest rate, fraction per interval of that venue */
  readonly min_rate: number;
  /** (max_rate - min_rate) x 10000, raw rates */
  readonly spread_bps: number;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly max_venue: string;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly min_venue: string;
  readonly max_contract: RateLeg;
  readonly min_contract: RateLeg;
  /** The same two legs scaled to eight hours; can be negative; null when an interval is unknown */
  readonly normalized_spread_8h_bps: number | null;
  /** Time of the older leg */
  readonly updated_at: string;
  /** What the figures leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpFundingSpreadAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** The highest- and the lowest-paying venue for one ticker: their raw funding rates and intervals, the raw spread in basis points, and the same spread with both legs scaled to eight hours and to percent a year; normalized is the pair that differs most by eight-hour rates. Before fees, slippage and price differences. */
export type PerpFundingSpreadAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues with a fresh comparable rate */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** The two ends: long where funding is lowest, short where it is highest */
  readonly spread: {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly long_venue: string;
    /** Lowest rate, fraction per interval of that venue */
    readonly long_rate: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly short_venue: string;
    /** Highest rate, fraction per interval of that venue */
    readonly short_rate: number;
    /** (short_rate - long_rate) x 10000, raw rates */
    readonly spread_bps: number;
    /** Time of the older leg */
    readonly updated_at: string;
    /** Hours between settlements; null where the venue does not say */
    readonly short_interval_hours: number | null;
    /** Hours between settlements; null where the venue does not say */
    readonly long_interval_hours: number | null;
    /** The same two legs scaled to eight hours; can be negative; null when an interval is unknown */
    readonly normalized_spread_8h_bps: number | null;
    /** normalized_spread_8h_bps in percent a year */
    readonly apr_spread_pct: number | null;
    readonly short: RateLeg;
    readonly long: RateLeg;
    readonly null_reasons?: NullReasons;
  };
  /** The pair that differs most with both rates scaled to eight hours, often another one than by raw rates: short the higher, long the lower; null with fewer than two known intervals */
  readonly normalized: NormalizedSpread | null;
  /** What the figures leave out */
  readonly note: string;
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpFundingNextAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** When one venue settles funding of one ticker next, over which interval, and the rate it shows for that settlement, which may still move before it; with the mark price. Takes no position side or size. */
export type PerpFundingNextAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
  readonly market_open?: boolean;
  /** When a closed market opens again; only where the venue states it */
  readonly opens_at?: string;
  /** Next settlement; null where the venue does not say */
  readonly next_funding_time: string | null;
  /** Hours between settlements; null where the venue does not say */
  readonly funding_interval_hours: number | null;
  /** Rate shown for the next settlement, fraction per interval, indicative */
  readonly current_rate: number | null;
  /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
  readonly funding_cap: number | null;
  /** The smallest, likewise */
  readonly funding_floor: number | null;
  /** Quote currency per unit of the base asset */
  readonly mark_price: number | null;
  /** Time of the rate */
  readonly updated_at: string;
  /** Time of the rate */
  readonly rate_updated_at: string | null;
  /** Time of the mark price */
  readonly mark_updated_at: string | null;
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpOpenInterestAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** Open interest of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars, so that venues can be compared. */
export type PerpOpenInterestAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
  readonly market_open?: boolean;
  /** When a closed market opens again; only where the venue states it */
  readonly opens_at?: string;
  /** The venue’s own number; units_note says what it counts */
  readonly open_interest_raw: number | null;
  /** Units of the base asset */
  readonly open_interest_base: number | null;
  /** US dollars at the mark price */
  readonly open_interest_usd: number | null;
  /** Quote currency per unit of the base asset */
  readonly mark_price: number | null;
  /** Contracts of the asset on the venue that the totals count */
  readonly contracts: number;
  /** All of them, units of the base asset */
  readonly total_open_interest_base: number | null;
  /** All of them, US dollars */
  readonly total_open_interest_usd: number | null;
  /** These contracts, the largest first: the totals are the sums of what they state */
  readonly counted_contracts: readonly {
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Units of the base asset */
    readonly open_interest_base: number | null;
    /** US dollars */
    readonly open_interest_usd: number | null;
  }[];
  /** Time of the open interest */
  readonly updated_at: string;
  /** Time of the open interest */
  readonly open_interest_updated_at: string | null;
  /** Time of the mark price */
  readonly mark_updated_at: string | null;
  /** What the figures count */
  readonly units_note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpCarryAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** What one perpetual future earns or costs a year in funding on each venue: the present rate annualized over the venue interval in percent, with its sign as contango or backwardation. A naive baseline before fees, slippage and basis; not a profit forecast. */
export type PerpCarryAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues in items */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** How the figures are made and what they leave out */
  readonly methodology: string;
  readonly items: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    readonly asset_class: AssetClass;
    /** Fraction per interval of the venue; positive: longs pay shorts */
    readonly funding_rate: number;
    /** Hours between settlements; null where the venue does not say */
    readonly funding_interval_hours: number | null;
    /** funding_rate x (24 / funding_interval_hours) x 365 x 100; null when the interval is unknown */
    readonly annualized_carry_pct: number | null;
    /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
    readonly funding_cap: number | null;
    /** The smallest, likewise */
    readonly funding_floor: number | null;
    /** Sign of the figure: positive, negative, or exactly zero */
    readonly structure: 'contango' | 'backwardation' | 'flat';
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** Time of the rate */
    readonly updated_at: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
    readonly market_open?: boolean;
    /** When a closed market opens again; only where the venue states it */
    readonly opens_at?: string;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    readonly null_reasons?: NullReasons;
  }[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpBasisAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** Distance of the mark price of one perpetual future from the index price of the same venue, in basis points, for each venue; says which venues publish no index and flags markets without trading as unreliable whatever their basis looks like. */
export type PerpBasisAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues in items */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** How the figures are made and what they leave out */
  readonly methodology: string;
  /** Venues in items that have no index */
  readonly venues_without_index: readonly string[];
  readonly items: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    readonly asset_class: AssetClass;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** The venue’s own index; null where it has none besides its mark */
    readonly index_price: number | null;
    /** (mark_price - index_price) / index_price x 10000 */
    readonly basis_bps: number | null;
    /** Sign of the basis; unknown without an index */
    readonly structure: 'contango' | 'backwardation' | 'flat' | 'unknown';
    /** dead: nothing traded and the mark unmoved for 24 hours, or an empty book */
    readonly liquidity_state: 'live' | 'dead' | 'unknown';
    /** Live, fresh, traded, and an index as fresh that is not the mark */
    readonly basis_reliable: boolean;
    /** Time of the mark price */
    readonly updated_at: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
    readonly market_open?: boolean;
    /** When a closed market opens again; only where the venue states it */
    readonly opens_at?: string;
    /** Why the row is not compared with other venues; only on rows that are not */
    readonly uncomparable_reason?: 'identity_uncertain' | 'price_dispersion' | 'multiplier_suspect' | 'placeholder' | 'dead_market' | 'stale' | 'no_mark_price' | 'suspect';
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    /** Time of the index; null where it is not known, as of a moment of the past */
    readonly index_updated_at: string | null;
  }[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpArbitrageFundingAsked {
  /** Least spread, as a fraction (0.0001 = 1 bp); default 0.0001 */
  readonly min_diff?: number | undefined;
  /** Most opportunities to return; default 50 */
  readonly limit?: number | undefined;
  /** What min_diff and the order are of: raw rates, or rates scaled to eight hours; default 'raw' */
  readonly sort?: 'raw' | 'normalized' | undefined;
}

/** Assets whose highest and lowest funding rate across venues stand further apart than min_diff, widest first, with both venues, and beside them the best pair with both legs scaled to eight hours (sort=normalized ranks by it). A gross spread of raw rates per interval: before fees, slippage and interval differences; not a profit forecast. */
export type PerpArbitrageFundingAnswer = {
  /** The threshold used */
  readonly min_diff: number;
  /** What min_diff and the order are of */
  readonly sort: 'raw' | 'normalized';
  /** Opportunities returned */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  readonly opportunities: readonly {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Highest rate, fraction per interval of its venue */
    readonly max_rate: number;
    /** Lowest rate, fraction per interval of its venue */
    readonly min_rate: number;
    /** max_rate - min_rate */
    readonly spread: number;
    /** spread x 10000 */
    readonly spread_bps: number;
    /** Spread with both legs scaled to eight hours; null when an interval is unknown */
    readonly normalized_spread_8h_bps: number | null;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly max_venue: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly min_venue: string;
    /** Venues compared */
    readonly venues_count: number;
    /** Time of the older leg */
    readonly updated_at: string;
    readonly max_leg: RateLeg;
    readonly min_leg: RateLeg;
    /** The pair that differs most with both rates scaled to eight hours, often another one than by raw rates: short the higher, long the lower; null with fewer than two known intervals */
    readonly normalized: NormalizedSpread | null;
    readonly null_reasons?: NullReasons;
  }[];
  /** What the figures leave out */
  readonly naive_note: string;
};

export interface PerpArbitrageFundingSignalAsked {
  /** Least difference of the rates scaled to eight hours, a fraction; default 0.0001 */
  readonly min_diff?: number | undefined;
  /** Most opportunities to return; default 50 */
  readonly limit?: number | undefined;
  /** Also pairs whose books do not fill 1,000 USD, or are not known; default false */
  readonly include_below_1k?: boolean | undefined;
  /** Days over which net_apr_pct spreads the cost of entry and exit; default 7 */
  readonly holding_days?: number | undefined;
}

/** Ranked funding pairs: per asset the two venues between which eight-hour funding differs most, net of public round-trip taker fees and sized to live order-book depth at 1,000, 5,000 and 10,000 USD, with entry slippage and periods to break even. A derived outcome from present values, not a profit forecast. */
export type PerpArbitrageFundingSignalAnswer = {
  /** Opportunities returned */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Assets whose pair reaches min_diff and has both books */
  readonly assessed: number;
  /** Assets that were not assessed, by reason */
  readonly unassessed: {
    /** Assets with fewer than two fresh comparable venues */
    readonly single_venue: number;
    /** Assets with fewer than two venues whose rate is known and young enough */
    readonly rate_unknown: number;
    /** Assets with fewer than two venues whose interval is known */
    readonly interval_unknown: number;
    /** Assets with fewer than two venues whose taker fee is known */
    readonly fee_unknown: number;
    /** Assets whose pair reaches min_diff while a leg has no fresh book */
    readonly depth_unknown: number;
    /** Assets whose pair does not reach min_diff */
    readonly below_min_diff: number;
  };
  /** Days that net_apr_pct holds a position for */
  readonly holding_days: number;
  /** Inputs and exclusions */
  readonly methodology: string;
  readonly opportunities: readonly {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly short_venue: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly long_venue: string;
    /** Raw rate difference of the two legs */
    readonly gross_funding_spread_bps: number;
    /** The same legs, both scaled to eight hours */
    readonly normalized_spread_8h_bps: number;
    /** The normalized spread over a year, percent */
    readonly apr_spread_pct: number | null;
    /** Public taker fees of entry and exit on both legs */
    readonly round_trip_fee_bps: number;
    /** gross_funding_spread_bps > round_trip_fee_bps */
    readonly net_of_fees_positive: boolean;
    /** Eight-hour periods until the spread has paid fees and slippage; null without books that fill 1,000 */
    readonly funding_periods_to_breakeven: number | null;
    /** Largest of 1000, 5000 and 10000 that both books fill, else 0; null where a book is not known */
    readonly max_notional_usd: number | null;
    /** Both legs together at that size; null without books */
    readonly entry_slippage_bps: number | null;
    /** apr_spread_pct less fees and slippage of entry and exit, spread over holding_days */
    readonly net_apr_pct: number | null;
    /** deep: 10,000 USD at no more than 5 bps on each leg; medium: 10,000; thin: 1,000; none: less; unknown: a leg has no fresh book */
    readonly depth_class: 'deep' | 'medium' | 'thin' | 'none' | 'unknown';
    /** Percent of the hours of the last 30 days in which the settled spread of both contracts was narrower */
    readonly percentile_30d: number | null;
    /** Median length of the earlier runs of hours, within 30 days, with a settled spread at least as wide */
    readonly median_duration_hours: number | null;
    /** Ranks the rows; null where a book is not known */
    readonly signal_score: number | null;
    /** Whether the score is above 0; rows where it is not come after all others */
    readonly clears_costs: boolean | null;
    /** Venues compared */
    readonly venues_count: number;
    /** Time of the older leg */
    readonly updated_at: string;
    /** Sold: the venue with the higher rate */
    readonly short: SignalLeg;
    /** Bought: the venue with the lower rate */
    readonly long: SignalLeg;
    readonly null_reasons?: NullReasons;
  }[];
};

export interface PerpArbitragePriceAsked {
  /** Least spread in basis points; default 10 */
  readonly min_diff_bps?: number | undefined;
  /** Most opportunities to return; default 50 */
  readonly limit?: number | undefined;
}

/** Assets whose highest and lowest mark price across venues stand further apart than min_diff_bps, widest first, with both contracts. Unlike quote currencies are compared by rates measured from the venues’ own contracts, or flagged where there is none. Mark prices, not executable ones: fees, slippage and funding differences are excluded; not a profit forecast. */
export type PerpArbitragePriceAnswer = {
  /** The threshold used */
  readonly min_diff_bps: number;
  /** Opportunities returned */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** What quote currencies are worth, by contracts of one asset in two of them on one venue and by perpetuals of the currencies themselves; one that is not named is not known */
  readonly quote_rates: {
    /** What the rates are in: USD where a venue ties USDT to it, else USDT */
    readonly unit: string;
    readonly rates: readonly {
      /** Quote currency */
      readonly quote: string;
      /** Worth of one in the unit */
      readonly rate: number;
      /** Comparisons that the rate is the median of */
      readonly samples: number;
      readonly venues: readonly string[];
      /** Time of the oldest mark used */
      readonly updated_at: string;
    }[];
  };
  readonly opportunities: readonly {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Highest mark price, in price_quote */
    readonly max_price: number;
    /** Lowest mark price, in price_quote */
    readonly min_price: number;
    /** Mean of the two */
    readonly mid_price: number;
    /** (max_price - min_price) / mid_price x 10000 */
    readonly spread_bps: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly max_venue: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly min_venue: string;
    /** Venues compared */
    readonly venues_count: number;
    /** Time of the older leg */
    readonly updated_at: string;
    /** Quote currency of both legs, or the unit of quote_rates; null where each price is in its own */
    readonly price_quote: string | null;
    /** False where quote currencies differ and no measured rate ties them together */
    readonly quote_adjusted: boolean;
    /** The dearer contract */
    readonly max_leg: PriceLeg;
    /** The cheaper contract */
    readonly min_leg: PriceLeg;
    readonly null_reasons?: NullReasons;
  }[];
  /** What the figures leave out */
  readonly naive_note: string;
};

export interface PerpSnapshotAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** Everything that is known now of one asset: per venue funding, interval, mark, index, basis, next settlement, open interest, volume and best prices, other assets of the ticker, with totals and weighted means over the venues that are fresh and comparable. */
export type PerpSnapshotAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  readonly asset_class: AssetClass;
  /** Venues in venues */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Sum over the venues shown that state it; null where these hold less than half of what venues stated within the last hour */
  readonly total_open_interest_usd: number | null;
  /** Sum over the venues shown that state it; null as above */
  readonly total_volume_24h_usd: number | null;
  /** Contracts that the totals count: all of the asset on each venue */
  readonly contracts_count: number;
  /** Venues that total_open_interest_usd is the sum of */
  readonly open_interest_venues_count: number;
  /** Venues that list the asset and are not in that sum: not fresh, not comparable, or without a figure */
  readonly open_interest_venues_missing: readonly string[];
  /** Mean of rate_8h weighted by open interest */
  readonly oi_weighted_rate_8h: number | null;
  /** Mean of mark_price weighted by 24 h volume */
  readonly volume_weighted_mark_price: number | null;
  readonly venues: readonly {
    /** Number of the venue */
    readonly source_id: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly symbol: string;
    /** Funding rate, fraction per interval of the venue; positive: longs pay shorts */
    readonly rate: number | null;
    /** The rate is the one last charged; only where the venue states no coming one at this moment */
    readonly rate_settled?: true;
    /** Time of the rate */
    readonly updated_at: string;
    /** Hours between settlements; null where the venue does not say */
    readonly funding_interval_hours: number | null;
    /** Rate scaled to eight hours; null when the interval is unknown */
    readonly rate_8h: number | null;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** Traded in 24 hours, USD */
    readonly volume_24h: number | null;
    /** Open interest, USD, each contract counted once */
    readonly open_interest: number | null;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
    readonly market_open?: boolean;
    /** When a closed market opens again; only where the venue states it */
    readonly opens_at?: string;
    /** Quote currency per unit of the base asset; null where the venue has no index */
    readonly index_price: number | null;
    /** Next settlement; where the stated one has passed and no other is named, as many whole intervals later */
    readonly next_funding_time: string | null;
    /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
    readonly funding_cap: number | null;
    /** The smallest, likewise */
    readonly funding_floor: number | null;
    /** The rate over a year, percent; null when the interval is unknown */
    readonly annualized_pct: number | null;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    /** Time of the open interest */
    readonly open_interest_updated_at: string | null;
    /** Why the row is not compared with other venues; only on rows that are not */
    readonly uncomparable_reason?: 'identity_uncertain' | 'price_dispersion' | 'multiplier_suspect' | 'placeholder' | 'dead_market' | 'stale' | 'no_mark_price' | 'suspect';
    /** Rule of data quality that the row breaks, where uncomparable_reason is suspect; docs/quality.md has each */
    readonly suspect_reason?: string;
    readonly null_reasons?: NullReasons;
    /** Contracts of the asset on the venue, which its totals count */
    readonly contracts_count: number;
    /** Open interest of all of them, USD */
    readonly total_open_interest_usd: number | null;
    /** Volume of all of them in 24 hours, USD */
    readonly total_volume_24h_usd: number | null;
    /** (mark_price - index_price) / index_price x 10000 */
    readonly basis_bps: number | null;
    /** Best bid, where known */
    readonly best_bid: number | null;
    /** Best ask, where known */
    readonly best_ask: number | null;
    /** (best_ask - best_bid) / mid x 10000 */
    readonly spread_bps: number | null;
    /** Slippage of 10,000 USD over the mid, worse side; null without a book */
    readonly slippage_10k_bps: number | null;
  }[];
  /** Other assets that go by the same ticker, with the venues that list them */
  readonly same_ticker: readonly {
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** What kind of asset it is */
    readonly asset_class: string;
    readonly venues: readonly string[];
  }[];
  /** What the figures leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpVolume24hAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** Rolling 24-hour volume of one ticker on one venue: the venue’s own number with a note on what it counts, and the same in units of the base asset and in US dollars. */
export type PerpVolume24hAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
  readonly market_open?: boolean;
  /** When a closed market opens again; only where the venue states it */
  readonly opens_at?: string;
  /** The venue’s own number; units_note says what it counts */
  readonly volume_24h_raw: number | null;
  /** Units of the base asset */
  readonly volume_24h_base: number | null;
  /** US dollars */
  readonly volume_24h_usd: number | null;
  /** What the figures count */
  readonly units_note: string;
  /** Quote currency per unit of the base asset */
  readonly mark_price: number | null;
  /** Contracts of the asset on the venue that the totals count */
  readonly contracts: number;
  /** All of them, units of the base asset */
  readonly total_volume_24h_base: number | null;
  /** All of them, US dollars */
  readonly total_volume_24h_usd: number | null;
  /** These contracts, the largest first: the totals are the sums of what they state */
  readonly counted_contracts: readonly {
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Units of the base asset */
    readonly volume_24h_base: number | null;
    /** US dollars */
    readonly volume_24h_usd: number | null;
  }[];
  /** Time of the volume */
  readonly updated_at: string;
  /** Time of the mark price */
  readonly mark_updated_at: string | null;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpVwSpreadAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
}

/** How far each venue stands from the volume-weighted mean of one asset, in funding (scaled to eight hours) and in mark price, over the venues that are fresh, comparable and trade. A naive baseline before fees and slippage; not a profit forecast. */
export type PerpVwSpreadAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues in venues */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Volume-weighted mean of rate_8h */
  readonly vw_rate_8h: number | null;
  /** Volume-weighted mean of mark_price */
  readonly vw_mark_price: number | null;
  readonly venues: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Share of the 24 h volume of all venues counted, 0 to 1 */
    readonly weight: number;
    /** Funding rate scaled to eight hours; null where it is unknown or too old */
    readonly rate_8h: number | null;
    /** rate_8h less the weighted mean, basis points */
    readonly deviation_rate_8h_bps: number | null;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** mark_price against the weighted mean, basis points */
    readonly deviation_price_bps: number | null;
    /** Traded in 24 hours, USD */
    readonly volume_24h_usd: number;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
  }[];
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly max_deviation_venue: string | null;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly min_deviation_venue: string | null;
  /** What the figures leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpOracleFamiliesAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue?: string | undefined;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker?: string | undefined;
}

/** Which venues derive their index price from the same upstream feed: oracle families with their venues, what each classification rests on, and the venues without an index of their own. Prices of one family are not independent of each other. */
export type PerpOracleFamiliesAnswer = {
  readonly families: readonly {
    /** Name of the family */
    readonly family: string;
    /** The feed behind it, where one is named */
    readonly upstream: string | null;
    /** What the family is */
    readonly description: string;
    readonly venues: readonly {
      /** Venue identifier, lower case, as in /v1/venues/list */
      readonly venue: string;
      /** What the classification rests on */
      readonly evidence: 'documented' | 'measured' | 'unknown';
      /** What the venue publishes of its index */
      readonly source: string;
      /** Of index moves with the family; null where samples are coarser than a second */
      readonly correlation: number | null;
      /** Positive: ahead of the family; null as above */
      readonly lead_lag_ms: number | null;
      /** Mean distance of changes of the index; null as above */
      readonly resolution_ms: number | null;
    }[];
  }[];
  readonly venues_without_index: readonly string[];
  /** How venues are grouped */
  readonly methodology: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface RwaPerpCoverageAsked {
  /** Only assets of this class */
  readonly asset_class?: 'equity' | 'index' | 'commodity' | 'fx' | 'etf' | 'prelaunch' | undefined;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker?: string | undefined;
}

/** Perpetual futures on shares, indices, commodities, currencies, funds and names before their launch (companies, and coins that venues list as such): per asset the venues that list it with mark, open interest, volume, funding and oracle family. */
export type RwaPerpCoverageAnswer = {
  /** Assets returned */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  readonly assets: readonly {
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    readonly asset_class: AssetClass;
    /** Venues in venues */
    readonly venues_count: number;
    readonly venues: readonly {
      /** Venue identifier, lower case, as in /v1/venues/list */
      readonly venue: string;
      /** The venue’s own symbol */
      readonly symbol: string;
      /** Quote currency per unit of the asset */
      readonly mark_price: number | null;
      /** Open interest, USD */
      readonly open_interest_usd: number | null;
      /** Traded in 24 hours, USD */
      readonly volume_24h_usd: number | null;
      /** Fraction per interval of the venue */
      readonly funding_rate: number | null;
      /** Hours between settlements; null where the venue does not say */
      readonly funding_interval_hours: number | null;
      /** Family of the venue’s index price */
      readonly oracle_family: string;
      /** Time of the mark price */
      readonly updated_at: string;
      /** The venue's own symbol of the contract */
      readonly venue_symbol: string;
      /** Currency that its prices are quoted in */
      readonly quote: string;
      /** Units of the ticker in one unit of the base as the venue names it */
      readonly multiplier: number;
      /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
      readonly market_open?: boolean;
      /** When a closed market opens again; only where the venue states it */
      readonly opens_at?: string;
      /** Time of the rate */
      readonly rate_updated_at: string | null;
      /** Time of the mark price */
      readonly mark_updated_at: string | null;
      /** Time of the open interest */
      readonly open_interest_updated_at: string | null;
      /** Why the row is not compared with other venues; only on rows that are not */
      readonly uncomparable_reason?: 'identity_uncertain' | 'price_dispersion' | 'multiplier_suspect' | 'placeholder' | 'dead_market' | 'stale' | 'no_mark_price' | 'suspect';
    }[];
  }[];
  /** What the figures leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookAggregateAsked {
  /** Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works */
  readonly symbol: string;
}

/** Consolidated best bid and best ask of one symbol over all venues with a live order book confirmed within 60 seconds, each with its size and venue. Contracts that are not comparable are left out; venues can overlap. */
export type OrderbookAggregateAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly symbol: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Highest bid */
  readonly best_bid: {
    /** Quote currency per unit of the base asset */
    readonly price: number;
    /** Units of the base asset at that price on that venue */
    readonly size: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
  };
  /** Lowest ask */
  readonly best_ask: {
    /** Quote currency per unit of the base asset */
    readonly price: number;
    /** Units of the base asset at that price on that venue */
    readonly size: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
  };
  /** (best ask - best bid) / mid x 10000; negative where venues overlap */
  readonly spread_bps: number;
  /** Venues with a fresh book */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Venues that list the asset and have no fresh comparable book: nothing of them is in the answer */
  readonly venues_missing: readonly string[];
  /** Books among these that were asked for and have not come, of venues that are live: asking again may find them */
  readonly books_pending: number;
  /** Time of the older of the two books */
  readonly updated_at: string;
  /** What the figures leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookTopAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works */
  readonly symbol: string;
}

/** Best bid and best ask of one symbol on one venue with their sizes, from the venue’s order book: how the book was obtained and when the venue last confirmed it. A book whose continuity is broken is never served. */
export type OrderbookTopAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly symbol: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** Quote currency per unit of the base asset; null without bids */
  readonly bid_price: number | null;
  /** Units of the base asset */
  readonly bid_size: number | null;
  /** Quote currency per unit of the base asset; null without asks */
  readonly ask_price: number | null;
  /** Units of the base asset */
  readonly ask_size: number | null;
  /** When the venue last confirmed the book */
  readonly timestamp: string;
  /** stream: every message since a snapshot; rest: one snapshot */
  readonly source: 'stream' | 'rest';
  /** When the venue last confirmed the book */
  readonly updated_at: string;
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookDepthAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Base asset, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works */
  readonly symbol: string;
  /** Size in USD that the quote is for; default 10000 */
  readonly size_usd?: 1000 | 5000 | 10000 | undefined;
  /** What is done at market: buy takes asks, sell takes bids, worse is the dearer of both; default 'worse' */
  readonly side?: 'buy' | 'sell' | 'worse' | undefined;
}

/** What trading 1,000, 5,000 or 10,000 USD of one symbol costs on one venue now: slippage over the mid in basis points (of buying, selling or the worse of both), the same with the taker fee, spread, visible depth within 100 bps on each side, and the most that fills. */
export type OrderbookDepthAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly symbol: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Size the quote is for */
  readonly size_usd: number;
  /** The side that costs are of */
  readonly side: 'buy' | 'sell' | 'worse';
  readonly quote: {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Public taker fee of the contract, base tier */
    readonly taker_fee_bps: number | null;
    /** Slippage plus taker fee; null where either is */
    readonly all_in_bps: number | null;
    /** Quote currency per unit of the base asset */
    readonly best_bid: number;
    /** Quote currency per unit of the base asset */
    readonly best_ask: number;
    /** Fill price against the mid, of the side or the worse of both, bps; null above max_fillable_usd */
    readonly est_slippage_for_size_usd_bps: number | null;
    /** (best_ask - best_bid) / mid x 10000 */
    readonly spread_bps: number;
    /** Visible bids within 100 bps of the mid, USD */
    readonly bid_depth_usd: number;
    /** Visible asks within 100 bps of the mid, USD */
    readonly ask_depth_usd: number;
    /** min(bid_depth_usd, ask_depth_usd, 10000); of the side alone where side is buy or sell */
    readonly max_fillable_usd: number;
    /** stream: every message since a snapshot; rest: one snapshot */
    readonly source: 'stream' | 'rest';
    /** When the venue last confirmed the book */
    readonly updated_at: string;
    readonly null_reasons?: NullReasons;
  };
  /** What the figures leave out */
  readonly naive_note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookBestExecutionAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Size in USD that the quote is for; default 10000 */
  readonly size_usd?: 1000 | 5000 | 10000 | undefined;
  /** What is done at market: buy takes asks, sell takes bids, worse is the dearer of both; default 'worse' */
  readonly side?: 'buy' | 'sell' | 'worse' | undefined;
  /** What venues are ordered by: slippage alone, or with the public taker fee; default 'slippage' */
  readonly rank_by?: 'slippage' | 'all_in' | undefined;
}

/** The one venue with the lowest slippage for 1,000, 5,000 or 10,000 USD of a ticker, out of all venues with a live order book, with its taker fee, all-in cost, touch, spread and depth; rank_by=all_in finds the one that is cheapest with fees. A 404 says that no single venue fills the size. Funding and latency are excluded. */
export type OrderbookBestExecutionAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Size in USD */
  readonly size_usd: number;
  /** The side that costs are of */
  readonly side: 'buy' | 'sell' | 'worse';
  /** What venues are ordered by */
  readonly rank_by: 'slippage' | 'all_in';
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Venues that list the asset and have no fresh comparable book: nothing of them is in the answer */
  readonly venues_missing: readonly string[];
  /** Books among these that were asked for and have not come, of venues that are live: asking again may find them */
  readonly books_pending: number;
  readonly best: {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Public taker fee of the contract, base tier */
    readonly taker_fee_bps: number | null;
    /** Slippage plus taker fee; null where either is */
    readonly all_in_bps: number | null;
    /** Quote currency per unit of the base asset */
    readonly best_bid: number;
    /** Quote currency per unit of the base asset */
    readonly best_ask: number;
    /** (best_ask - best_bid) / mid x 10000 */
    readonly spread_bps: number;
    /** Visible bids within 100 bps of the mid, USD */
    readonly bid_depth_usd: number;
    /** Visible asks within 100 bps of the mid, USD */
    readonly ask_depth_usd: number;
    /** Fill price against the venue’s mid, of the side or the worse of both, bps; null where it does not fill */
    readonly slippage_bps: number | null;
    /** stream: every message since a snapshot; rest: one snapshot */
    readonly source: 'stream' | 'rest';
    /** When the venue last confirmed the book */
    readonly updated_at: string;
    readonly null_reasons?: NullReasons;
  };
  /** What the figures leave out */
  readonly naive_note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookMultiVenueSlippageAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Size in USD that the quote is for; default 10000 */
  readonly size_usd?: 1000 | 5000 | 10000 | undefined;
  /** What is done at market: buy takes asks, sell takes bids, worse is the dearer of both; default 'worse' */
  readonly side?: 'buy' | 'sell' | 'worse' | undefined;
  /** What venues are ordered by: slippage alone, or with the public taker fee; default 'slippage' */
  readonly rank_by?: 'slippage' | 'all_in' | undefined;
  /** With depth by distance; default false */
  readonly ladder?: boolean | undefined;
}

/** Slippage of 1,000, 5,000 or 10,000 USD of a ticker on every venue with a live order book, lowest first, with taker fee, all-in cost, touch, spread and visible depth of each; of buying, selling or the worse of both. Venues that do not fill the size come last with a null slippage. */
export type OrderbookMultiVenueSlippageAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Size in USD */
  readonly size_usd: number;
  /** The side that costs are of */
  readonly side: 'buy' | 'sell' | 'worse';
  /** What venues are ordered by */
  readonly rank_by: 'slippage' | 'all_in';
  /** Venues with a fresh book */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Venues that list the asset and have no fresh comparable book: nothing of them is in the answer */
  readonly venues_missing: readonly string[];
  /** Books among these that were asked for and have not come, of venues that are live: asking again may find them */
  readonly books_pending: number;
  readonly venues: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Public taker fee of the contract, base tier */
    readonly taker_fee_bps: number | null;
    /** Slippage plus taker fee; null where either is */
    readonly all_in_bps: number | null;
    /** Quote currency per unit of the base asset */
    readonly best_bid: number;
    /** Quote currency per unit of the base asset */
    readonly best_ask: number;
    /** (best_ask - best_bid) / mid x 10000 */
    readonly spread_bps: number;
    /** Visible bids within 100 bps of the mid, USD */
    readonly bid_depth_usd: number;
    /** Visible asks within 100 bps of the mid, USD */
    readonly ask_depth_usd: number;
    /** Fill price against the venue’s mid, of the side or the worse of both, bps; null where it does not fill */
    readonly slippage_bps: number | null;
    /** stream: every message since a snapshot; rest: one snapshot */
    readonly source: 'stream' | 'rest';
    /** When the venue last confirmed the book */
    readonly updated_at: string;
    readonly null_reasons?: NullReasons;
    /** Depth by distance from the mid, cumulative; only with ladder=true */
    readonly ladder?: readonly {
      /** Distance from the mid, bps */
      readonly within_bps: number;
      /** Visible bids at most so far below the mid, USD */
      readonly bid_usd: number;
      /** Visible asks at most so far above the mid, USD */
      readonly ask_usd: number;
    }[];
  }[];
  /** What the figures leave out */
  readonly naive_note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface OrderbookMultiVenueExecutionAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Size in USD that the quote is for; default 10000 */
  readonly size_usd?: 1000 | 5000 | 10000 | undefined;
  /** What is done at market: buy takes asks, sell takes bids, worse is the dearer of both; default 'worse' */
  readonly side?: 'buy' | 'sell' | 'worse' | undefined;
  /** What venues are ordered by: slippage alone, or with the public taker fee; default 'slippage' */
  readonly rank_by?: 'slippage' | 'all_in' | undefined;
  /** true: by marginal price with taker fee over the levels of all venues, whatever rank_by says, instead of venue after venue; default false */
  readonly split?: boolean | undefined;
  /** With split=true: most venues that the route may use; all when not given */
  readonly venues_max?: number | undefined;
}

/** Greedy route of 1,000, 5,000 or 10,000 USD of a ticker: venues in the order of their slippage, each filled up to its visible depth until the size is filled, with slippage and taker fee of each leg at its allocation, the blend, and what stays unfilled. split=true routes by marginal all-in price over all books instead, stated against the best single venue. */
export type OrderbookMultiVenueExecutionAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Size in USD */
  readonly size_usd: number;
  /** The side that costs are of */
  readonly side: 'buy' | 'sell' | 'worse';
  /** What venues are ordered by */
  readonly rank_by: 'slippage' | 'all_in';
  /** Filled by all legs */
  readonly total_filled_usd: number;
  /** Left over */
  readonly unfilled_usd: number;
  /** Legs */
  readonly venues_used: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Venues that list the asset and have no fresh comparable book: nothing of them is in the answer */
  readonly venues_missing: readonly string[];
  /** Books among these that were asked for and have not come, of venues that are live: asking again may find them */
  readonly books_pending: number;
  /** Mean of the legs weighted by allocation */
  readonly blended_slippage_bps: number;
  /** The same of the taker fees; null where one is not known */
  readonly blended_taker_fee_bps: number | null;
  /** The same of slippage plus taker fee */
  readonly blended_all_in_bps: number | null;
  /** Lowest slippage_bps first, with rank_by=all_in lowest all_in_bps, null last. The leg that took what was left shows the slippage of its part, so it may stand before legs that were filled before it */
  readonly route: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Public taker fee of the contract, base tier */
    readonly taker_fee_bps: number | null;
    /** Slippage plus taker fee; null where either is */
    readonly all_in_bps: number | null;
    /** Part of the size that goes here */
    readonly allocated_usd: number;
    /** At the allocation, of the side or the worse of both */
    readonly slippage_bps: number;
    /** Without split: what the walk takes venues by, slippage (rank_by=all_in: and taker fee) at the smaller of size_usd and max_fillable_usd */
    readonly rank_bps?: number | null;
    /** Quote currency per unit of the base asset */
    readonly best_bid: number;
    /** Quote currency per unit of the base asset */
    readonly best_ask: number;
    /** min(bid_depth_usd, ask_depth_usd, 10000); of the side alone where side is buy or sell */
    readonly max_fillable_usd: number;
    /** With split=true: what a unit costs on average before the fee, in the quote currency of the venue */
    readonly average_price?: number;
    /** stream: every message since a snapshot; rest: one snapshot */
    readonly source: 'stream' | 'rest';
    /** When the venue last confirmed the book */
    readonly updated_at: string;
    readonly null_reasons?: NullReasons;
  }[];
  /** What the figures leave out */
  readonly naive_note: string;
  /** Only with split=true: what the split achieves */
  readonly split?: {
    /** The side that was split; with side=worse the one that fills less, of two that fill as much the dearer one */
    readonly side: 'buy' | 'sell';
    /** Mean of the highest bid and the lowest ask of the venues taken into account */
    readonly reference_price: number;
    /** Currency of reference_price */
    readonly reference_quote: string | null;
    /** Always true: all prices are in one currency, since venues whose currency has no measured rate are left out */
    readonly quote_adjusted: boolean;
    /** Mean price with taker fees against reference_price; can be negative */
    readonly all_in_bps: number;
    /** The cheapest venue that fills the size alone; null where none does */
    readonly best_single: {
      /** Venue identifier, lower case, as in /v1/venues/list */
      readonly venue: string;
      /** The same for all of the size on this venue */
      readonly all_in_bps: number;
    } | null;
    /** best_single.all_in_bps - all_in_bps, at least 0 */
    readonly saved_bps: number | null;
    /** Most venues that the route may use */
    readonly venues_max: number;
    /** Venues left out, as their taker fee is not public */
    readonly venues_without_fee: readonly string[];
    /** Venues left out, as no measured rate ties their quote currency to that of the others */
    readonly venues_without_rate: readonly string[];
    readonly null_reasons?: NullReasons;
  };
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface FundingHistoricalAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue?: string | undefined;
  /** Width of a bucket; default '1h' */
  readonly aggr?: '1h' | '4h' | '1d' | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 3 days ago at 1h, 7 at 4h, 30 at 1d */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** sampled: rates as shown, where this service saw them; settled: payments, in the buckets in which they were paid; any: rates as shown, and payments where a venue has none; both: all of it; default 'any' */
  readonly basis?: 'any' | 'both' | 'sampled' | 'settled' | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Funding-rate history of one ticker on every venue, or on one, in buckets of 1 hour, 4 hours or a day: mean rate as shown (sampled each minute), or as paid where none was seen (settled), mean mark price and the number of samples; the current bucket is flagged partial. Raw rates, up to 30 days (settled: 400). */
export type FundingHistoricalAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Width of a bucket */
  readonly aggregation: '1h' | '4h' | '1d';
  /** Start of the window */
  readonly window_start: string;
  /** End of the window, not included; now, or as_of, where it goes on */
  readonly window_end: string;
  /** Venues with a bucket */
  readonly venues_count: number;
  readonly buckets: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Start of the bucket */
    readonly bucket_start: string;
    /** Mean rate, fraction per interval of the venue */
    readonly avg_funding_rate: number;
    /** Mean mark price */
    readonly avg_price: number | null;
    /** Hours that the rates are for, as stored of that time: the interval shown with the last rate of each hour, or the hours that each payment is for; null where not known, or where it changed within the bucket */
    readonly funding_interval_hours: number | null;
    /** Values that the mean rate is of */
    readonly samples: number;
    /** What the values are */
    readonly basis: 'sampled' | 'settled';
    /** sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known */
    readonly origin: 'sampled' | 'settled' | 'backfilled';
    /** The bucket goes on, or went on at the time of as_of */
    readonly partial: boolean;
  }[];
  /** What the figures are and leave out */
  readonly note: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpFundingFlipsAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Hours to look back; default 24 */
  readonly hours?: number | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Every change of sign of a ticker’s funding rate on each venue within the last hours (24 by default, 168 at most): venue, hour, rate before and after, direction. Flips are reported, not judged as lasting or passing. */
export type PerpFundingFlipsAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Hours looked back */
  readonly hours: number;
  /** Flips found */
  readonly flips_count: number;
  /** Venues with at least one */
  readonly venues_with_flips: number;
  readonly flips: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Start of the hour in which the new sign was seen or paid */
    readonly hour: string;
    /** Last rate of the other sign */
    readonly rate_before: number;
    /** Last rate seen in the hour; where none was seen, what was paid in it */
    readonly rate_after: number;
    /** From which sign to which */
    readonly direction: 'positive_to_negative' | 'negative_to_positive';
    /** Time of the payment, or of the last sample of the hour */
    readonly at: string;
    /** sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known */
    readonly origin: 'sampled' | 'settled' | 'backfilled';
  }[];
  /** How hours are compared */
  readonly methodology: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpOiDeltaAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Hours between the two values; default 24 */
  readonly lookback_hours?: number | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Open interest of one ticker on one venue now against what it was some hours ago (24 by default, 168 at most), in units of the base asset and in US dollars, with the change in percent of the base units and both times. */
export type PerpOiDeltaAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** The venue's own symbol of the contract */
  readonly venue_symbol: string;
  /** Currency that its prices are quoted in */
  readonly quote: string;
  /** Units of the ticker in one unit of the base as the venue names it */
  readonly multiplier: number;
  /** Hours looked back */
  readonly lookback_hours: number;
  /** Now, units of the base asset */
  readonly current_oi: number;
  /** Then, units of the base asset */
  readonly past_oi: number;
  /** Now, US dollars */
  readonly current_oi_usd: number | null;
  /** Then, US dollars */
  readonly past_oi_usd: number | null;
  /** (current - past) / past x 100 of the base units; null where the past was zero */
  readonly delta_pct: number | null;
  /** Time of the present value */
  readonly current_ts: string;
  /** Time of the past value: the nearest there is, at most five minutes from the time looked back to, or of backfilled ones the time between two */
  readonly past_ts: string;
  /** Sampled by this service, or reported by the venue afterwards */
  readonly past_source: 'sampled' | 'backfilled';
  /** What the figures count */
  readonly units_note: string;
  /** The formula of the figures, and what they leave out */
  readonly methodology: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpOiHistoryAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Width of a bucket; default '1h' */
  readonly aggr?: '1h' | '4h' | '1d' | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days ago */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Open interest of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): mean in units of the base asset and in US dollars, with the number of samples. */
export type PerpOiHistoryAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Width of a bucket */
  readonly aggregation: '1h' | '4h' | '1d';
  /** Start of the window */
  readonly window_start: string;
  /** End of the window, not included; now, or as_of, where it goes on */
  readonly window_end: string;
  readonly buckets: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Start of the bucket */
    readonly bucket_start: string;
    /** Mean, units of the base asset */
    readonly value: number;
    /** Mean notional, US dollars */
    readonly value_usd: number | null;
    /** Values that the mean is of */
    readonly samples: number;
    /** sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known */
    readonly origin: 'sampled' | 'settled' | 'backfilled';
    /** The bucket goes on, or went on at the time of as_of */
    readonly partial: boolean;
  }[];
  /** What the figures count */
  readonly units_note: string;
  /** The formula of the figures, and what they leave out */
  readonly note: string;
  readonly corrections?: readonly Correction[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpVolumeHistoryAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Width of a bucket; default '1h' */
  readonly aggr?: '1h' | '4h' | '1d' | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 7 days ago */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Rolling 24-hour volume of one ticker on one venue over time, in buckets of 1 hour (30 days at most), 4 hours (60) or a day (90): its mean in US dollars, with the number of samples. */
export type PerpVolumeHistoryAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Width of a bucket */
  readonly aggregation: '1h' | '4h' | '1d';
  /** Start of the window */
  readonly window_start: string;
  /** End of the window, not included; now, or as_of, where it goes on */
  readonly window_end: string;
  readonly buckets: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Start of the bucket */
    readonly bucket_start: string;
    /** Mean of the rolling 24-hour volume, US dollars */
    readonly value: number;
    /** Values that the mean is of */
    readonly samples: number;
    /** sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known */
    readonly origin: 'sampled' | 'settled' | 'backfilled';
    /** The bucket goes on, or went on at the time of as_of */
    readonly partial: boolean;
  }[];
  /** What the figures count */
  readonly units_note: string;
  /** The formula of the figures, and what they leave out */
  readonly note: string;
  readonly corrections?: readonly Correction[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpVolumeAnomaliesAsked {
  /** Least absolute z-score; default 3 */
  readonly min_z?: number | undefined;
  /** Most opportunities to return; default 50 */
  readonly limit?: number | undefined;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker?: string | undefined;
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue?: string | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Contracts whose rolling 24-hour volume stands at least min_z robust deviations (median and MAD of the last 7 days, same venue and asset) from what is usual, either way, strongest first; all venues and tickers, or one of each. A 404 says that no contract asked about has a baseline yet. */
export type PerpVolumeAnomaliesAnswer = {
  /** The threshold used */
  readonly min_z: number;
  /** Anomalies returned */
  readonly count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** Contracts that have a baseline to be judged by */
  readonly baselines_count: number;
  /** How the score is made, and what it leaves out */
  readonly methodology: string;
  readonly anomalies: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Rolling 24-hour volume now, US dollars */
    readonly volume_24h_usd: number;
    /** Median of its hourly means over 7 days */
    readonly baseline_median_usd: number;
    /** Median absolute deviation of the same */
    readonly baseline_mad_usd: number;
    /** (volume - median) / (1.4826 x MAD) */
    readonly z_score: number;
    /** Volume over the median */
    readonly ratio: number | null;
    /** Above or below what is usual */
    readonly direction: 'spike' | 'drought';
    /** Hours of the baseline */
    readonly samples: number;
    /** Time of the volume */
    readonly updated_at: string;
  }[];
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpFundingStatsAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
  /** This venue alone */
  readonly venue?: string | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Present funding rate of one asset on every venue (or one) against 7, 30 and 90 days of settled payments of the same contract: percentile, mean, median, deviation, share of positive hours, streak of one sign, half-life of deviations; null with a reason where the past is too short. */
export type PerpFundingStatsAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Venues with a rate or a settled payment */
  readonly venues_count: number;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  readonly venues: readonly {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** Fraction per interval of the venue */
    readonly rate: number | null;
    /** Hours between settlements; null where the venue does not say */
    readonly funding_interval_hours: number | null;
    /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
    readonly funding_cap: number | null;
    /** The smallest, likewise */
    readonly funding_floor: number | null;
    /** Rate scaled to eight hours; null when the interval is unknown */
    readonly rate_8h: number | null;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    readonly null_reasons?: NullReasons;
    /** Settled payments known of the last 90 days */
    readonly payments: number;
    /** The latest of them */
    readonly last_payment_at: string | null;
    /** The last 7, 30 and 90 days */
    readonly windows: readonly {
      /** Length of the window, days before now */
      readonly days: number;
      /** Hours of the window that settled payments cover, percent */
      readonly coverage_pct: number;
      /** Percent of the hours in which the settled value was below the present one, equal ones half */
      readonly percentile: number | null;
      /** Mean over the hours, basis points per eight hours */
      readonly mean_8h_bps: number | null;
      /** Median over the hours */
      readonly median_8h_bps: number | null;
      /** Standard deviation over the hours */
      readonly deviation_8h_bps: number | null;
      /** Percent of the hours with a value above 0 */
      readonly positive_pct: number | null;
      readonly null_reasons?: NullReasons;
    }[];
    /** The last payments in a row with one sign, at most 90 days back */
    readonly streak: {
      /** positive: longs paid shorts */
      readonly sign: 'positive' | 'negative' | 'zero';
      /** Payments of that sign in a row */
      readonly payments: number;
      /** The first of them */
      readonly since: string;
    } | null;
    /** Hours after which half of a deviation from the mean was gone, over 90 days */
    readonly half_life_hours: number | null;
  }[];
  /** How the figures are made, and what they leave out */
  readonly methodology: string;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpSpreadStatsAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Asset identity such as crypto:BTC, for a ticker that names more than one asset */
  readonly canonical_id?: string | undefined;
  /** Venue of the short leg; with long, or neither for the widest pair */
  readonly short?: string | undefined;
  /** Venue of the long leg */
  readonly long?: string | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Present funding spread of two venues of one asset (by default the widest pair) against 7, 30 and 90 days of their settled spread: percentile, mean, median, deviation, half-life, how long spreads of this size lasted before, and how often they paid round-trip fees within 1, 3 and 7 days. */
export type PerpSpreadStatsAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  readonly short: RateLeg;
  readonly long: RateLeg;
  /** Present rates: (rate_8h short - rate_8h long) x 10000 */
  readonly spread_8h_bps: number | null;
  /** Public taker fees of entry and exit on both legs */
  readonly round_trip_fee_bps: number | null;
  /** The last 7, 30 and 90 days */
  readonly windows: readonly {
    /** Length of the window, days before now */
    readonly days: number;
    /** Hours of the window that settled payments cover, percent */
    readonly coverage_pct: number;
    /** Percent of the hours in which the settled value was below the present one, equal ones half */
    readonly percentile: number | null;
    /** Mean over the hours, basis points per eight hours */
    readonly mean_8h_bps: number | null;
    /** Median over the hours */
    readonly median_8h_bps: number | null;
    /** Standard deviation over the hours */
    readonly deviation_8h_bps: number | null;
    /** Percent of the hours with a value above 0 */
    readonly positive_pct: number | null;
    readonly null_reasons?: NullReasons;
  }[];
  /** Hours after which half of a deviation from the mean was gone, over 90 days */
  readonly half_life_hours: number | null;
  /** Earlier runs of hours of the last 90 days with a settled spread of at least spread_8h_bps */
  readonly episodes: number | null;
  /** Median length of those that were seen to begin and to end */
  readonly median_duration_hours: number | null;
  /** Length that nine of ten of them did not exceed */
  readonly p90_duration_hours: number | null;
  /** Hours for which the settled spread has been at least as wide, up to the last settlement; null where it was throughout */
  readonly present_duration_hours: number | null;
  /** What positions opened once each episode had been settled were paid over 1, 3 and 7 days */
  readonly held: readonly {
    /** Days that a position is held */
    readonly days: number;
    /** Episodes whose whole holding time is known */
    readonly entries: number;
    /** Of these, positions whose settled funding covered round_trip_fee_bps */
    readonly paid: number | null;
    /** The same in percent */
    readonly paid_pct: number | null;
    /** Median of what the positions were paid, basis points, before fees */
    readonly median_earned_bps: number | null;
    readonly null_reasons?: NullReasons;
  }[];
  /** Time of the older leg */
  readonly updated_at: string;
  /** How the figures are made, and what they leave out */
  readonly methodology: string;
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface PerpFundingHeatmapAsked {
  /** Width of a column; default '1d' */
  readonly step?: '1h' | '1d' | undefined;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket; default 2 days ago at 1h, 30 at 1d */
  readonly from?: string | Date | undefined;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now */
  readonly to?: string | Date | undefined;
  /** Rates of this venue; without it the widest spread between two venues */
  readonly venue?: string | undefined;
  /** Assets with most open interest; default 20 */
  readonly limit?: number | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Matrix of settled funding: assets by open interest against days (up to 90) or hours (up to 7 days), of one venue or the widest spread between two venues in each column with both of them named; basis points per eight hours, null where nothing was paid that is known. */
export type PerpFundingHeatmapAnswer = {
  /** What the values are */
  readonly of: 'rate' | 'spread';
  /** Venue of the rates; null with spreads */
  readonly venue: string | null;
  /** Width of a column */
  readonly step: '1h' | '1d';
  readonly columns: readonly string[];
  /** Rows */
  readonly assets_count: number;
  readonly assets: readonly {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** Now, US dollars, as in /v1/perp/snapshot: all contracts of the fresh comparable venues; with venue of its row */
    readonly open_interest_usd: number | null;
    /** By column; null where no payment is known (spread: of fewer than two venues) */
    readonly values_8h_bps: readonly (number | null)[];
    /** Venue of the short leg by column; with spreads */
    readonly short_venues?: readonly (string | null)[];
    /** Venue of the long leg by column; with spreads */
    readonly long_venues?: readonly (string | null)[];
  }[];
  /** How the figures are made, and what they leave out */
  readonly note: string;
};

export interface BacktestDataAsked {
  /** Venue identifier in any case, one of the names in /v1/venues/list */
  readonly venue: string;
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket */
  readonly from: string | Date;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known */
  readonly to: string | Date;
  /** Width of a bucket; default '1h' */
  readonly granularity?: '1h' | '4h' | '1d' | undefined;
  /** With funding rates; default true */
  readonly include_funding?: boolean | undefined;
  /** With the last order-book figures of each bucket; default false */
  readonly include_orderbook?: boolean | undefined;
  /** csv and parquet have the rows, with venue and ticker in each; ts is then a column; default 'json' */
  readonly format?: 'json' | 'csv' | 'parquet' | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Time series of one ticker on one venue in buckets of 1 hour, 4 hours or a day, 10,000 at most: mean funding rate as shown, payments in the bucket in which they were made, mean price, and on request touch, depth and slippage of the last book of each bucket; origin of each bucket, completeness of each column and sources are stated. JSON, CSV or Parquet. */
export type BacktestDataAnswer = {
  /** Venue identifier, lower case, as in /v1/venues/list */
  readonly venue: string;
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Width of a bucket */
  readonly granularity: '1h' | '4h' | '1d';
  /** Start of the window */
  readonly from_ts: string;
  /** End of the window, not included; now, or as_of, where it goes on */
  readonly to_ts: string;
  readonly data: readonly {
    /** Start of the bucket */
    readonly ts: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known */
    readonly origin: 'sampled' | 'settled' | 'backfilled';
    readonly sources: readonly ('sampled' | 'settled' | 'backfilled')[];
    /** The bucket goes on, or went on at the time of as_of */
    readonly partial: boolean;
    /** The least complete of the columns asked for, percent of the minutes passed */
    readonly completeness_pct: number;
    /** Mean of the rates as shown, fraction per interval; where none was, of the payments made in the bucket; this and the following four absent with include_funding=false */
    readonly funding_rate?: number | null;
    /** Values that funding_rate is the mean of */
    readonly funding_samples?: number;
    /** What funding_rate is of: rates as shown, payments, or rates that the venue reported afterwards */
    readonly funding_source?: 'sampled' | 'settled' | 'backfilled' | null;
    /** Mean of the payments made in the bucket, fraction per interval */
    readonly settled_funding_rate?: number | null;
    /** Payments made in the bucket */
    readonly settled_payments?: number;
    /** Mean mark price */
    readonly perp_price: number | null;
    /** Best bid of the last fresh book; this and the following, all of that book, with include_orderbook=true */
    readonly best_bid?: number | null;
    /** Last best ask */
    readonly best_ask?: number | null;
    /** (ask - bid) / mid x 10000 */
    readonly spread_bps?: number | null;
    /** Visible bids within 100 bps of the mid, US dollars */
    readonly bid_depth_usd?: number | null;
    /** Visible asks within 100 bps of the mid, US dollars */
    readonly ask_depth_usd?: number | null;
    /** Slippage of 1,000 USD, the worse of both sides; null where it was not filled */
    readonly slippage_1k_bps?: number | null;
    /** The same of 5,000 USD */
    readonly slippage_5k_bps?: number | null;
    /** The same of 10,000 USD */
    readonly slippage_10k_bps?: number | null;
    /** Why an order-book field is null: not_sampled: the service did not see the bucket, and venues do not tell their past books; not_followed: no fresh order book of the contract was known at any sample; too_thin: what is visible within 100 bps of the mid does not fill the size */
    readonly book_reason?: 'not_sampled' | 'not_followed' | 'too_thin' | null;
  }[];
  readonly metadata: {
    /** Samples that the rows are made of */
    readonly samples_count: number;
    /** The least complete of the columns asked for */
    readonly completeness_pct: number;
    readonly completeness: {
      /** Of funding_rate, percent of the minutes passed */
      readonly funding?: number;
      /** Of perp_price, percent of the minutes passed */
      readonly price: number;
      /** Of the order-book fields, all of them, percent of the minutes passed */
      readonly book?: number;
    };
    readonly data_sources: readonly ('sampled' | 'settled' | 'backfilled')[];
    /** How the figures are made, and what they leave out */
    readonly methodology: string;
  };
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

export interface BacktestPairAsked {
  /** Base asset, any case: BTC. A canonical_id or a name with a perp suffix (BTC-PERP) also works */
  readonly ticker: string;
  /** Venue of the short leg */
  readonly short: string;
  /** Venue of the long leg */
  readonly long: string;
  /** Start of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket */
  readonly from: string | Date;
  /** End of the window, ISO 8601 or Unix time in seconds or milliseconds, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known */
  readonly to: string | Date;
  /** Entry spread, basis points per eight hours: enter where the settled one is at least this; default 5 */
  readonly enter_bps?: number | undefined;
  /** Exit spread: leave where it is at most this, below enter_bps; default 0 */
  readonly exit_bps?: number | undefined;
  /** Longest hold, hours; default 168 */
  readonly max_hold_hours?: number | undefined;
  /** Notional of each leg, US dollars; default 10000 */
  readonly size_usd?: number | undefined;
  /** Leverage of a leg: its notional over the margin held for it; default 1 */
  readonly leverage?: number | undefined;
  /** Taker fee, basis points, of either leg, -100 to 10,000; default the public one of each */
  readonly fee_bps?: number | undefined;
  /** Slippage if unknown: bps, up to 10,000, of a fill of which no stored book gives it; without it such a trade is unknown */
  readonly assumed_slippage_bps?: number | undefined;
  /** Answer as it would have been at this moment, ISO 8601 or Unix time: what was recorded later does not count */
  readonly as_of?: string | Date | undefined;
}

/** Two legs of one asset traded by rule over up to 90 days: settled funding, fees, slippage from stored books, price gap; by trade and day, with drawdown and what is unknown. */
export type BacktestPairAnswer = {
  /** Upper-case base asset, contract multipliers removed */
  readonly ticker: string;
  /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
  readonly canonical_id: string;
  /** Start of the window */
  readonly from_ts: string;
  /** End of the window */
  readonly to_ts: string;
  readonly short: {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Fee charged at the end of the window */
    readonly taker_fee_bps: number;
    /** Before it the first known fee is charged */
    readonly fees_noted_from: string | null;
    /** Whether it is the one asked for, and not the public one of today */
    readonly fee_is_asked: boolean;
    /** Settled payments known in the window */
    readonly payments: number;
    /** Settlements in the window of which no payment is stored: their funding counts as 0 */
    readonly missing_payments: number;
    /** Hours of the window with a stored book that fills the size */
    readonly hours_with_book: number;
  };
  readonly long: {
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Fee charged at the end of the window */
    readonly taker_fee_bps: number;
    /** Before it the first known fee is charged */
    readonly fees_noted_from: string | null;
    /** Whether it is the one asked for, and not the public one of today */
    readonly fee_is_asked: boolean;
    /** Settled payments known in the window */
    readonly payments: number;
    /** Settlements in the window of which no payment is stored: their funding counts as 0 */
    readonly missing_payments: number;
    /** Hours of the window with a stored book that fills the size */
    readonly hours_with_book: number;
  };
  /** Notional of each leg, US dollars */
  readonly size_usd: number;
  /** Margin of both legs: 2 x size_usd / leverage, US dollars */
  readonly capital_usd: number;
  /** Trades */
  readonly trades_count: number;
  /** Trades whose net is known and above 0 */
  readonly won: number;
  /** Trades whose net is not known */
  readonly unknown: number;
  /** won over the trades whose net is known, percent */
  readonly hit_rate_pct: number | null;
  /** Hours in which the pair was held */
  readonly hours_held: number;
  /** Funding of the short leg, US dollars */
  readonly short_funding_usd: number;
  /** Funding of the long leg, US dollars */
  readonly long_funding_usd: number;
  /** Taker fees, below 0, US dollars */
  readonly fees_usd: number;
  /** Slippage against the mid, below 0, US dollars */
  readonly slippage_usd: number | null;
  /** Change of the gap between both prices, US dollars */
  readonly price_usd: number | null;
  /** Sum of these, US dollars */
  readonly net_usd: number | null;
  /** The same without price_usd; known where a leg had no price, US dollars */
  readonly net_without_price_usd: number | null;
  /** net_usd over capital_usd, percent */
  readonly return_pct: number | null;
  /** Largest fall of the running sum of all flows, US dollars */
  readonly max_drawdown_usd: number | null;
  readonly trades: readonly {
    /** Entry of both legs */
    readonly opened_at: string;
    /** Exit of both legs */
    readonly closed_at: string;
    /** Why the pair was left */
    readonly left: 'threshold' | 'holding_time' | 'window_end';
    /** Settled spread known at the entry */
    readonly entry_spread_8h_bps: number;
    /** The same at the exit */
    readonly exit_spread_8h_bps: number | null;
    /** Funding of the short leg, US dollars */
    readonly short_funding_usd: number;
    /** Funding of the long leg, US dollars */
    readonly long_funding_usd: number;
    /** Taker fees, below 0, US dollars */
    readonly fees_usd: number;
    /** Slippage against the mid, below 0, US dollars */
    readonly slippage_usd: number | null;
    /** Change of the gap between both prices, US dollars */
    readonly price_usd: number | null;
    /** Sum of these, US dollars */
    readonly net_usd: number | null;
    /** The same without price_usd; known where a leg had no price, US dollars */
    readonly net_without_price_usd: number | null;
    /** Fills whose slippage is assumed_slippage_bps */
    readonly assumed_fills: number;
    /** Settlements of both legs while it was held of which no payment is stored: counted as 0 */
    readonly missing_payments: number;
    readonly null_reasons?: NullReasons;
  }[];
  /** Days with a flow */
  readonly days: readonly {
    /** Day, UTC */
    readonly date: string;
    /** Funding of the short leg, US dollars */
    readonly short_funding_usd: number;
    /** Funding of the long leg, US dollars */
    readonly long_funding_usd: number;
    /** Taker fees, below 0, US dollars */
    readonly fees_usd: number;
    /** Slippage against the mid, below 0, US dollars */
    readonly slippage_usd: number | null;
    /** Change of the gap between both prices, US dollars */
    readonly price_usd: number | null;
    /** Sum of these, US dollars */
    readonly net_usd: number | null;
    /** The same without price_usd; known where a leg had no price, US dollars */
    readonly net_without_price_usd: number | null;
    /** Running sum of net_usd, US dollars */
    readonly cumulative_usd: number | null;
    readonly null_reasons?: NullReasons;
  }[];
  /** How the figures are made, and what they leave out */
  readonly methodology: string;
  readonly null_reasons?: NullReasons;
  /** Only where the asset goes by another name than the one asked for */
  readonly renamed?: {
    /** The name that was asked for */
    readonly asked: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    /** First day of the present name, UTC */
    readonly day: string;
    /** Units of ticker that one unit of the name asked for became; past values are in units of ticker */
    readonly factor: number;
    /** announced: venues still list the name under which the answer is */
    readonly state: 'done' | 'announced';
  };
};

/** Free sample of the funding signal: the one pair of venues with the largest gross funding spread among those that clear their round-trip fees, and what the paid answer has beyond it. */
export type PreviewFundingSignalAnswer = {
  /** Always true */
  readonly preview: true;
  /** The top pair that clears its fees; null while there is none */
  readonly signal: {
    /** Upper-case base asset, contract multipliers removed */
    readonly ticker: string;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly short_venue: string;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly long_venue: string;
    /** Raw rate difference of the two legs */
    readonly gross_funding_spread_bps: number;
    /** Public taker fees of entry and exit on both legs */
    readonly round_trip_fee_bps: number;
    /** The same legs, both scaled to eight hours */
    readonly normalized_spread_8h_bps: number;
    /** normalized_spread_8h_bps x 10.95 */
    readonly apr_spread_pct: number | null;
    /** gross_funding_spread_bps > round_trip_fee_bps */
    readonly net_of_fees_positive: boolean;
    /** Funding interval of the short leg */
    readonly short_interval_hours: number | null;
    /** Funding interval of the long leg */
    readonly long_interval_hours: number | null;
    /** Venues compared */
    readonly venues_count: number;
    /** Real time of the older leg */
    readonly as_of: string;
  } | null;
  /** Venues that list what was asked for; of a scan over all assets, all that are collected */
  readonly venues_listed: number;
  /** Of these, venues with a value that is fresh: an answer over several venues rests on them alone */
  readonly venues_considered: number;
  /** Of these, venues from which nothing current comes: nothing of them is in an answer over several venues */
  readonly venues_not_live: readonly string[];
  /** What only the paid answer has */
  readonly withheld_in_preview: readonly string[];
  /** How the preview and the paid answer rank */
  readonly ranked_by: string;
  /** Inputs and exclusions */
  readonly methodology: string;
  /** How to read this */
  readonly note: string;
  /** Path of the paid answer */
  readonly paid_full_endpoint: string;
};

/** Free sample of the live funding rates: BTC, ETH, SOL, XRP and DOGE on three venues each, one minute late and rounded to four significant digits, with the field names of the paid answer. */
export type PreviewFundingCurrentAnswer = {
  /** Always true */
  readonly preview: true;
  readonly rates: readonly {
    /** Number of the venue */
    readonly source_id: number;
    /** Venue identifier, lower case, as in /v1/venues/list */
    readonly venue: string;
    /** Upper-case base asset, contract multipliers removed */
    readonly symbol: string;
    /** Funding rate, fraction per interval of the venue; positive: longs pay shorts */
    readonly rate: number | null;
    /** The rate is the one last charged; only where the venue states no coming one at this moment */
    readonly rate_settled?: true;
    /** Time of the rate */
    readonly updated_at: string;
    /** Hours between settlements; null where the venue does not say */
    readonly funding_interval_hours: number | null;
    /** Rate scaled to eight hours; null when the interval is unknown */
    readonly rate_8h: number | null;
    /** Asset identity <asset_class>:<SLUG>; unrelated assets never share one */
    readonly canonical_id: string;
    readonly asset_class: AssetClass;
    /** Quote currency per unit of the base asset */
    readonly mark_price: number | null;
    /** Traded in 24 hours, USD */
    readonly volume_24h: number | null;
    /** Open interest, USD, each contract counted once */
    readonly open_interest: number | null;
    /** The venue's own symbol of the contract */
    readonly venue_symbol: string;
    /** Currency that its prices are quoted in */
    readonly quote: string;
    /** Units of the ticker in one unit of the base as the venue names it */
    readonly multiplier: number;
    /** True while orders trade, false in closed hours; only where the venue states it. A closed market has no touch and no book */
    readonly market_open?: boolean;
    /** When a closed market opens again; only where the venue states it */
    readonly opens_at?: string;
    /** Index price per unit of the base asset */
    readonly index_price: number | null;
    /** Next settlement; where the stated one has passed and no other is named, as many whole intervals later */
    readonly next_funding_time: string | null;
    /** Largest rate that the venue lets the contract have, fraction per interval; null where it publishes none */
    readonly funding_cap: number | null;
    /** The smallest, likewise */
    readonly funding_floor: number | null;
    /** The rate over a year, percent; null when the interval is unknown */
    readonly annualized_pct: number | null;
    /** Time of the rate */
    readonly rate_updated_at: string | null;
    /** Time of the mark price */
    readonly mark_updated_at: string | null;
    /** Time of the open interest */
    readonly open_interest_updated_at: string | null;
    /** Why the row is not compared with other venues; only on rows that are not */
    readonly uncomparable_reason?: 'identity_uncertain' | 'price_dispersion' | 'multiplier_suspect' | 'placeholder' | 'dead_market' | 'stale' | 'no_mark_price' | 'suspect';
    /** Rule of data quality that the row breaks, where uncomparable_reason is suspect; docs/quality.md has each */
    readonly suspect_reason?: string;
    readonly null_reasons?: NullReasons;
  }[];
  /** Time of the oldest rate; null while the list is empty */
  readonly as_of: string | null;
  /** How long the rates are held back */
  readonly delay_seconds: number;
  /** What only the paid answer has */
  readonly withheld_in_preview: readonly string[];
  /** Path of the paid answer */
  readonly paid_full_endpoint: string;
  /** How to read this */
  readonly note: string;
};

/** Price, payment requirement, steps and ready-to-run examples for buying the full list of live funding rates that the preview samples. */
export type PreviewFundingCurrentUpgradeAnswer = {
  /** Price of one answer, decimal text; null where nothing is charged */
  readonly price_usd: string | null;
  /** The payment requirement, as in the 402 challenge; empty where nothing is charged */
  readonly accepts: readonly Readonly<Record<string, unknown>>[];
  /** From the preview to the paid answer */
  readonly steps: readonly string[];
  /** Ready to run */
  readonly example: {
    /** Shell command that shows the challenge */
    readonly curl: string;
    /** Program that pays and reads */
    readonly typescript: string;
  };
};

export interface X402DiscoveryResourcesAsked {
  /** Only resources of this kind: http, or mcp for tools */
  readonly type?: string | undefined;
  /** Only resources paid to this address */
  readonly payTo?: string | undefined;
  /** Only resources sold by this scheme */
  readonly scheme?: string | undefined;
  /** Only resources sold on this network */
  readonly network?: string | undefined;
  /** Only resources with this extension; all have bazaar */
  readonly extensions?: string | undefined;
  /** Items on a page; default 100 */
  readonly limit?: number | undefined;
  /** Items to skip; default 0 */
  readonly offset?: number | undefined;
}

/** Catalog of everything that is sold here in the shape of the x402 discovery interface: payment requirements of both protocol generations, parameters, an example answer and the date of the last change of each resource. */
export type X402DiscoveryResourcesAnswer = {
  /** Protocol version */
  readonly x402Version: 2;
  /** Paths that are sold; with type=mcp the tools */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** Tools of /mcp that sell the same answers; empty where a type was asked for */
  readonly mcp_items: readonly Readonly<Record<string, unknown>>[];
  /** Place of this page */
  readonly pagination: {
    /** Items on a page */
    readonly limit: number;
    /** Items skipped */
    readonly offset: number;
    /** Items that match */
    readonly total: number;
  };
};

export interface X402DiscoverySearchAsked {
  /** Words to look for in description, tags and path of each resource */
  readonly query: string;
  /** Only resources of this kind: http, or mcp for tools */
  readonly type?: string | undefined;
  /** Only resources paid to this address */
  readonly payTo?: string | undefined;
  /** Only resources sold by this scheme */
  readonly scheme?: string | undefined;
  /** Only resources sold on this network */
  readonly network?: string | undefined;
  /** Only resources with this extension; all have bazaar */
  readonly extensions?: string | undefined;
  /** Resources on a page; default 20 */
  readonly limit?: number | undefined;
  /** The cursor of the page before */
  readonly cursor?: number | undefined;
}

/** The resources of the catalog in which words of the query occur, best match first, in the shape of the x402 discovery interface. Rare words weigh more than common ones, and words of path and tags more than those of the description. */
export type X402DiscoverySearchAnswer = {
  /** Protocol version */
  readonly x402Version: 2;
  /** Paid resources */
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  /** Whether there is a further page */
  readonly partialResults: boolean;
  /** Place of this page */
  readonly pagination: {
    /** Resources on a page */
    readonly limit: number;
    /** Where the next page begins; null on the last one */
    readonly cursor: string | null;
  };
};

/** Who sells here and what: name of the service, whether its data is live or simulated, the full catalog of paid resources with their payment requirements, and where price changes are announced. */
export type WellKnownX402JsonAnswer = {
  /** Protocol version */
  readonly x402Version: 2;
  /** Name of the service */
  readonly serviceName: string;
  /** Address of its icon */
  readonly iconUrl: string;
  /** Whether the venues behind the data are real */
  readonly data: 'live' | 'simulated';
  /** Address of the price changelog */
  readonly changelog: string;
  /** Address of the keys that sign offers and receipts */
  readonly receiptKeys: string;
  /** Paths that are sold */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** Tools of /mcp that sell the same answers */
  readonly mcp_items: readonly Readonly<Record<string, unknown>>[];
};

/** Addresses of all paid resources as a plain list, in the shape that x402 indexers read to register a service, with trial values for what they require. Each of them answers an unpaid request with a challenge. */
export type WellKnownX402Answer = {
  /** Version of this shape */
  readonly version: 1;
  /** Absolute addresses with trial values */
  readonly resources: readonly string[];
  /** Where to read more */
  readonly instructions: string;
};

/** Prices in force and the dated list of all price changes, with the rule that limits how far a price may rise. */
export type PricingChangelogAnswer = {
  /** Currency of all prices */
  readonly currency: 'USD';
  /** How far a price may rise */
  readonly rule: string;
  /** Prices in force */
  readonly prices: readonly {
    /** Name of the product */
    readonly id: string;
    /** Its path */
    readonly path: string;
    /** Price of one request */
    readonly usd: string;
  }[];
  /** Changes, the latest first */
  readonly changelog: readonly {
    /** From when the prices hold */
    readonly effective: string;
    /** Why */
    readonly note: string;
    readonly changes: readonly {
      /** Name of the product */
      readonly id: string;
      /** Its path */
      readonly path: string;
      /** Price before; null for the first price */
      readonly previous_usd: string | null;
      /** Price from then on */
      readonly usd: string;
    }[];
  }[];
};

/** DID document (did:web) of the service: every key that signed offers, receipts and daily roots, with the time in which it did. Old keys stay, so that old receipts can be verified. */
export type ReceiptKeysAnswer = {
  /** As DID documents have it */
  readonly '@context': readonly string[];
  /** did:web of the address of the service */
  readonly id: string;
  /** Keys, the newest last */
  readonly verificationMethod: readonly {
    /** What a statement has as kid */
    readonly id: string;
    /** JsonWebKey2020 */
    readonly type: string;
    /** The document itself */
    readonly controller: string;
    /** Ed25519 key (RFC 8037) */
    readonly publicKeyJwk: Readonly<Record<string, unknown>>;
    /** From when it signs */
    readonly validFrom: string;
    /** When it stopped; absent for the key in force */
    readonly expires?: string;
  }[];
  /** Names of the keys */
  readonly assertionMethod: readonly string[];
};

export interface ReceiptRootsAsked {
  /** Days before this one; all without it */
  readonly before?: string | undefined;
  /** At most so many, the latest first; default 30 */
  readonly limit?: number | undefined;
}

/** For each closed UTC day the root of the Merkle tree (RFC 6962 hashes) of all receipts issued in it, signed, each naming the root before. Whoever keeps them notices a receipt that is added or removed later. */
export type ReceiptRootsAnswer = {
  /** Days with receipts, the latest first */
  readonly roots: readonly {
    /** UTC day */
    readonly day: string;
    /** Compact JWS: day, size, root_sha256, previous_sha256 */
    readonly root: string;
  }[];
};

export interface ReceiptProofAsked {
  /** UTC day of issued_at in the receipt */
  readonly day: string;
  /** SHA-256 of a zero byte and the receipt as it came in perpmeter-receipt, hex */
  readonly leaf: string;
}

/** The hashes that lead from one receipt to the signed root of its day, for perpmeter verify --proof. A day is closed five minutes after its end. */
export type ReceiptProofAnswer = {
  /** Place of the receipt among those of its day */
  readonly index: number;
  /** Hashes to the root, the lowest first, hex */
  readonly path: readonly string[];
  /** Compact JWS: day, size, root_sha256, previous_sha256 */
  readonly root: string;
};

/** This interface as an OpenAPI 3.1 document, made from the same table that serves it: parameters, answers with nullable fields, errors, prices and the challenge of every paid operation. */
export type OpenapiAnswer = {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, unknown>>;
};

export interface ErrorsAsked {
  /** Data or a page; without it, what Accept prefers */
  readonly format?: 'json' | 'html' | undefined;
}

/** Every error code that a problem document or a challenge may carry, with its HTTP status, its cause, what to do, and whether anything was charged. A page for browsers, JSON for everybody else. */
export type ErrorsAnswer = {
  /** By HTTP status */
  readonly errors: readonly {
    /** What a problem document or a challenge has as code */
    readonly code: string;
    /** What it has as type: the path of this entry */
    readonly type: string;
    /** HTTP status that it comes with */
    readonly status: number;
    /** The error in a few words */
    readonly title: string;
    /** Why it comes */
    readonly cause: string;
    /** What to do */
    readonly remedy: string;
    /** Whether the request was charged; null: that is not known yet */
    readonly charged: boolean | null;
  }[];
};

export interface ErrorAsked {
  /** Code of the error */
  readonly code: string;
  /** Data or a page; without it, what Accept prefers */
  readonly format?: 'json' | 'html' | undefined;
}

/** What an error code means: its HTTP status, its cause, what to do, and whether anything was charged. The type of every problem document, and the code of every refused payment, leads here. A page for browsers, JSON for everybody else. */
export type ErrorAnswer = {
  /** What a problem document or a challenge has as code */
  readonly code: string;
  /** What it has as type: the path of this entry */
  readonly type: string;
  /** HTTP status that it comes with */
  readonly status: number;
  /** The error in a few words */
  readonly title: string;
  /** Why it comes */
  readonly cause: string;
  /** What to do */
  readonly remedy: string;
  /** Whether the request was charged; null: that is not known yet */
  readonly charged: boolean | null;
};

/** A function for every route. */
export interface Routes<D extends boolean> {
  /** Tracked venues; free: `/v1/venues/list` */
  venuesList(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, VenuesListAnswer>, D>>;
  /** Health of each venue; free: `/v1/venues/health` */
  venuesHealth(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, VenuesHealthAnswer>, D>>;
  /** Health of the service; free: `/v1/health` */
  health(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, HealthAnswer>, D>>;
  /** A grade for each venue, with its reasons; free: `/v1/data-quality/summary` */
  dataQualitySummary(asked: DataQualitySummaryAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** A grade for each venue, with its reasons; free: `/v1/data-quality/summary` */
  dataQualitySummary(asked?: DataQualitySummaryAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualitySummaryAnswer>, D>>;
  /** How much is covered, by venue and day; free: `/v1/data-quality/coverage` */
  dataQualityCoverage(asked: DataQualityCoverageAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** How much is covered, by venue and day; free: `/v1/data-quality/coverage` */
  dataQualityCoverage(asked?: DataQualityCoverageAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityCoverageAnswer>, D>>;
  /** Spans without data, by venue; free: `/v1/data-quality/gaps` */
  dataQualityGaps(asked: DataQualityGapsAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** Spans without data, by venue; free: `/v1/data-quality/gaps` */
  dataQualityGaps(asked?: DataQualityGapsAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityGapsAnswer>, D>>;
  /** Where the data was found wrong; free: `/v1/data-quality/incidents` */
  dataQualityIncidents(asked: DataQualityIncidentsAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** Where the data was found wrong; free: `/v1/data-quality/incidents` */
  dataQualityIncidents(asked?: DataQualityIncidentsAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityIncidentsAnswer>, D>>;
  /** How often a second reading agrees; free: `/v1/data-quality/accuracy` */
  dataQualityAccuracy(asked: DataQualityAccuracyAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** How often a second reading agrees; free: `/v1/data-quality/accuracy` */
  dataQualityAccuracy(asked?: DataQualityAccuracyAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityAccuracyAnswer>, D>>;
  /** How old the data is; free: `/v1/data-quality/latency` */
  dataQualityLatency(asked: DataQualityLatencyAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** How old the data is; free: `/v1/data-quality/latency` */
  dataQualityLatency(asked?: DataQualityLatencyAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityLatencyAnswer>, D>>;
  /** Unit and evidence of every field of every venue; free: `/v1/data-quality/units` */
  dataQualityUnits(asked: DataQualityUnitsAsked & { readonly format: 'csv' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** Unit and evidence of every field of every venue; free: `/v1/data-quality/units` */
  dataQualityUnits(asked?: DataQualityUnitsAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, DataQualityUnitsAnswer>, D>>;
  /** Live funding rates; paid: `/v1/funding/current` */
  fundingCurrent(asked?: FundingCurrentAsked, options?: CallOptions): Promise<Result<As<D, FundingCurrentAnswer>, D>>;
  /** Snapshot of a funding spread; paid: `/v1/funding/spread/{symbol}` */
  fundingSpreadSymbol(asked: FundingSpreadSymbolAsked, options?: CallOptions): Promise<Result<As<D, FundingSpreadSymbolAnswer>, D>>;
  /** Widest funding spread of one ticker; paid: `/v1/perp/funding-spread` */
  perpFundingSpread(asked: PerpFundingSpreadAsked, options?: CallOptions): Promise<Result<As<D, PerpFundingSpreadAnswer>, D>>;
  /** Next funding settlement on a venue; paid: `/v1/perp/funding-next` */
  perpFundingNext(asked: PerpFundingNextAsked, options?: CallOptions): Promise<Result<As<D, PerpFundingNextAnswer>, D>>;
  /** Open interest on a venue; paid: `/v1/perp/open-interest` */
  perpOpenInterest(asked: PerpOpenInterestAsked, options?: CallOptions): Promise<Result<As<D, PerpOpenInterestAnswer>, D>>;
  /** Funding carry per venue; paid: `/v1/perp/carry` */
  perpCarry(asked: PerpCarryAsked, options?: CallOptions): Promise<Result<As<D, PerpCarryAnswer>, D>>;
  /** Mark against index per venue; paid: `/v1/perp/basis` */
  perpBasis(asked: PerpBasisAsked, options?: CallOptions): Promise<Result<As<D, PerpBasisAnswer>, D>>;
  /** Funding-rate gaps across venues; paid: `/v1/perp/arbitrage/funding` */
  perpArbitrageFunding(asked?: PerpArbitrageFundingAsked, options?: CallOptions): Promise<Result<As<D, PerpArbitrageFundingAnswer>, D>>;
  /** Funding arbitrage net of fees, sized to books; paid: `/v1/perp/arbitrage/funding-signal` */
  perpArbitrageFundingSignal(asked?: PerpArbitrageFundingSignalAsked, options?: CallOptions): Promise<Result<As<D, PerpArbitrageFundingSignalAnswer>, D>>;
  /** Mark-price gaps across venues; paid: `/v1/perp/arbitrage/price` */
  perpArbitragePrice(asked?: PerpArbitragePriceAsked, options?: CallOptions): Promise<Result<As<D, PerpArbitragePriceAnswer>, D>>;
  /** One asset on all venues; paid: `/v1/perp/snapshot` */
  perpSnapshot(asked: PerpSnapshotAsked, options?: CallOptions): Promise<Result<As<D, PerpSnapshotAnswer>, D>>;
  /** Traded in 24 hours on a venue; paid: `/v1/perp/volume-24h` */
  perpVolume24h(asked: PerpVolume24hAsked, options?: CallOptions): Promise<Result<As<D, PerpVolume24hAnswer>, D>>;
  /** Venues against the volume-weighted mean; paid: `/v1/perp/vw-spread` */
  perpVwSpread(asked: PerpVwSpreadAsked, options?: CallOptions): Promise<Result<As<D, PerpVwSpreadAnswer>, D>>;
  /** Where index prices come from; paid: `/v1/perp/oracle-families` */
  perpOracleFamilies(asked?: PerpOracleFamiliesAsked, options?: CallOptions): Promise<Result<As<D, PerpOracleFamiliesAnswer>, D>>;
  /** Perpetuals on real-world assets; paid: `/v1/rwa/perp-coverage` */
  rwaPerpCoverage(asked?: RwaPerpCoverageAsked, options?: CallOptions): Promise<Result<As<D, RwaPerpCoverageAnswer>, D>>;
  /** Best bid and ask across venues; paid: `/v1/orderbook/aggregate/{symbol}` */
  orderbookAggregate(asked: OrderbookAggregateAsked, options?: CallOptions): Promise<Result<As<D, OrderbookAggregateAnswer>, D>>;
  /** Top of book on one venue; paid: `/v1/orderbook/{venue}/{symbol}/top` */
  orderbookTop(asked: OrderbookTopAsked, options?: CallOptions): Promise<Result<As<D, OrderbookTopAnswer>, D>>;
  /** Sized quote on one venue; paid: `/v1/orderbook/depth/{venue}/{symbol}` */
  orderbookDepth(asked: OrderbookDepthAsked, options?: CallOptions): Promise<Result<As<D, OrderbookDepthAnswer>, D>>;
  /** Cheapest venue for a size; paid: `/v1/orderbook/best-execution` */
  orderbookBestExecution(asked: OrderbookBestExecutionAsked, options?: CallOptions): Promise<Result<As<D, OrderbookBestExecutionAnswer>, D>>;
  /** Slippage on every venue; paid: `/v1/orderbook/multi-venue-slippage` */
  orderbookMultiVenueSlippage(asked: OrderbookMultiVenueSlippageAsked, options?: CallOptions): Promise<Result<As<D, OrderbookMultiVenueSlippageAnswer>, D>>;
  /** Route of a size over venues; paid: `/v1/orderbook/multi-venue-execution` */
  orderbookMultiVenueExecution(asked: OrderbookMultiVenueExecutionAsked, options?: CallOptions): Promise<Result<As<D, OrderbookMultiVenueExecutionAnswer>, D>>;
  /** Funding history per venue; paid: `/v1/funding/historical` */
  fundingHistorical(asked: FundingHistoricalAsked, options?: CallOptions): Promise<Result<As<D, FundingHistoricalAnswer>, D>>;
  /** Changes of sign of funding; paid: `/v1/perp/funding-flips` */
  perpFundingFlips(asked: PerpFundingFlipsAsked, options?: CallOptions): Promise<Result<As<D, PerpFundingFlipsAnswer>, D>>;
  /** Change of open interest; paid: `/v1/perp/oi-delta` */
  perpOiDelta(asked: PerpOiDeltaAsked, options?: CallOptions): Promise<Result<As<D, PerpOiDeltaAnswer>, D>>;
  /** Open-interest history on a venue; paid: `/v1/perp/oi-history` */
  perpOiHistory(asked: PerpOiHistoryAsked, options?: CallOptions): Promise<Result<As<D, PerpOiHistoryAnswer>, D>>;
  /** Volume history on a venue; paid: `/v1/perp/volume-history` */
  perpVolumeHistory(asked: PerpVolumeHistoryAsked, options?: CallOptions): Promise<Result<As<D, PerpVolumeHistoryAnswer>, D>>;
  /** Unusual volumes; paid: `/v1/perp/volume-anomalies` */
  perpVolumeAnomalies(asked?: PerpVolumeAnomaliesAsked, options?: CallOptions): Promise<Result<As<D, PerpVolumeAnomaliesAnswer>, D>>;
  /** Funding rates against their own past; paid: `/v1/perp/funding-stats` */
  perpFundingStats(asked: PerpFundingStatsAsked, options?: CallOptions): Promise<Result<As<D, PerpFundingStatsAnswer>, D>>;
  /** A funding spread against its own past; paid: `/v1/perp/spread-stats` */
  perpSpreadStats(asked: PerpSpreadStatsAsked, options?: CallOptions): Promise<Result<As<D, PerpSpreadStatsAnswer>, D>>;
  /** Settled funding by asset and day or hour; paid: `/v1/perp/funding-heatmap` */
  perpFundingHeatmap(asked?: PerpFundingHeatmapAsked, options?: CallOptions): Promise<Result<As<D, PerpFundingHeatmapAnswer>, D>>;
  /** Packaged series for a backtest; paid: `/v1/backtest/data` */
  backtestData(asked: BacktestDataAsked & { readonly format: 'csv' | 'parquet' }, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** Packaged series for a backtest; paid: `/v1/backtest/data` */
  backtestData(asked: BacktestDataAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, BacktestDataAnswer>, D>>;
  /** Backtest of a funding pair; paid: `/v1/backtest/pair` */
  backtestPair(asked: BacktestPairAsked, options?: CallOptions): Promise<Result<As<D, BacktestPairAnswer>, D>>;
  /** Preview of the funding signal; free: `/v1/preview/funding-signal` */
  previewFundingSignal(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, PreviewFundingSignalAnswer>, D>>;
  /** Preview of live funding rates; free: `/v1/preview/funding-current` */
  previewFundingCurrent(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, PreviewFundingCurrentAnswer>, D>>;
  /** From the preview to the paid answer; free: `/v1/preview/funding-current/upgrade` */
  previewFundingCurrentUpgrade(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, PreviewFundingCurrentUpgradeAnswer>, D>>;
  /** Catalog of paid resources; free: `/v1/x402/discovery/resources` */
  x402DiscoveryResources(asked?: X402DiscoveryResourcesAsked, options?: CallOptions): Promise<Result<As<D, X402DiscoveryResourcesAnswer>, D>>;
  /** Search of paid resources; free: `/v1/x402/discovery/search` */
  x402DiscoverySearch(asked: X402DiscoverySearchAsked, options?: CallOptions): Promise<Result<As<D, X402DiscoverySearchAnswer>, D>>;
  /** Discovery document; free: `/.well-known/x402.json` */
  wellKnownX402Json(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, WellKnownX402JsonAnswer>, D>>;
  /** Addresses of the paid resources; free: `/.well-known/x402` */
  wellKnownX402(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, WellKnownX402Answer>, D>>;
  /** Prices and their changes; free: `/v1/pricing/changelog` */
  pricingChangelog(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, PricingChangelogAnswer>, D>>;
  /** Keys that sign offers and receipts; free: `/.well-known/did.json` */
  receiptKeys(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, ReceiptKeysAnswer>, D>>;
  /** Signed roots of all receipts, by day; free: `/v1/receipts/roots` */
  receiptRoots(asked?: ReceiptRootsAsked, options?: CallOptions): Promise<Result<As<D, ReceiptRootsAnswer>, D>>;
  /** Proof that a receipt is in the tree of its day; free: `/v1/receipts/proof/{day}/{leaf}` */
  receiptProof(asked: ReceiptProofAsked, options?: CallOptions): Promise<Result<As<D, ReceiptProofAnswer>, D>>;
  /** OpenAPI document; free: `/openapi.json` */
  openapi(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<As<D, OpenapiAnswer>, D>>;
  /** The service in words, for agents; free: `/llms.txt` */
  llmsTxt(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<string, D>>;
  /** Icon of the service; free: `/icon.png` */
  icon(asked?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Result<Uint8Array, D>>;
  /** All error codes; free: `/errors` */
  errors(asked: ErrorsAsked & { readonly format: 'html' }, options?: CallOptions): Promise<Result<string, D>>;
  /** All error codes; free: `/errors` */
  errors(asked?: ErrorsAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, ErrorsAnswer>, D>>;
  /** One error code; free: `/errors/{code}` */
  error(asked: ErrorAsked & { readonly format: 'html' }, options?: CallOptions): Promise<Result<string, D>>;
  /** One error code; free: `/errors/{code}` */
  error(asked: ErrorAsked & { readonly format?: 'json' | undefined }, options?: CallOptions): Promise<Result<As<D, ErrorAnswer>, D>>;
}

/** Where the functions ask. */
export const PATHS = {
  venuesList: '/v1/venues/list',
  venuesHealth: '/v1/venues/health',
  health: '/v1/health',
  dataQualitySummary: '/v1/data-quality/summary',
  dataQualityCoverage: '/v1/data-quality/coverage',
  dataQualityGaps: '/v1/data-quality/gaps',
  dataQualityIncidents: '/v1/data-quality/incidents',
  dataQualityAccuracy: '/v1/data-quality/accuracy',
  dataQualityLatency: '/v1/data-quality/latency',
  dataQualityUnits: '/v1/data-quality/units',
  fundingCurrent: '/v1/funding/current',
  fundingSpreadSymbol: '/v1/funding/spread/{symbol}',
  perpFundingSpread: '/v1/perp/funding-spread',
  perpFundingNext: '/v1/perp/funding-next',
  perpOpenInterest: '/v1/perp/open-interest',
  perpCarry: '/v1/perp/carry',
  perpBasis: '/v1/perp/basis',
  perpArbitrageFunding: '/v1/perp/arbitrage/funding',
  perpArbitrageFundingSignal: '/v1/perp/arbitrage/funding-signal',
  perpArbitragePrice: '/v1/perp/arbitrage/price',
  perpSnapshot: '/v1/perp/snapshot',
  perpVolume24h: '/v1/perp/volume-24h',
  perpVwSpread: '/v1/perp/vw-spread',
  perpOracleFamilies: '/v1/perp/oracle-families',
  rwaPerpCoverage: '/v1/rwa/perp-coverage',
  orderbookAggregate: '/v1/orderbook/aggregate/{symbol}',
  orderbookTop: '/v1/orderbook/{venue}/{symbol}/top',
  orderbookDepth: '/v1/orderbook/depth/{venue}/{symbol}',
  orderbookBestExecution: '/v1/orderbook/best-execution',
  orderbookMultiVenueSlippage: '/v1/orderbook/multi-venue-slippage',
  orderbookMultiVenueExecution: '/v1/orderbook/multi-venue-execution',
  fundingHistorical: '/v1/funding/historical',
  perpFundingFlips: '/v1/perp/funding-flips',
  perpOiDelta: '/v1/perp/oi-delta',
  perpOiHistory: '/v1/perp/oi-history',
  perpVolumeHistory: '/v1/perp/volume-history',
  perpVolumeAnomalies: '/v1/perp/volume-anomalies',
  perpFundingStats: '/v1/perp/funding-stats',
  perpSpreadStats: '/v1/perp/spread-stats',
  perpFundingHeatmap: '/v1/perp/funding-heatmap',
  backtestData: '/v1/backtest/data',
  backtestPair: '/v1/backtest/pair',
  previewFundingSignal: '/v1/preview/funding-signal',
  previewFundingCurrent: '/v1/preview/funding-current',
  previewFundingCurrentUpgrade: '/v1/preview/funding-current/upgrade',
  x402DiscoveryResources: '/v1/x402/discovery/resources',
  x402DiscoverySearch: '/v1/x402/discovery/search',
  wellKnownX402Json: '/.well-known/x402.json',
  wellKnownX402: '/.well-known/x402',
  pricingChangelog: '/v1/pricing/changelog',
  receiptKeys: '/.well-known/did.json',
  receiptRoots: '/v1/receipts/roots',
  receiptProof: '/v1/receipts/proof/{day}/{leaf}',
  openapi: '/openapi.json',
  llmsTxt: '/llms.txt',
  icon: '/icon.png',
  errors: '/errors',
  error: '/errors/{code}',
} as const;

/** Status of each error, and whether anything was charged: null where that is not known yet. */
export const ERRORS = {
  unknown_parameter: { status: 400, charged: false },
  invalid_parameter: { status: 400, charged: false },
  missing_parameter: { status: 400, charged: false },
  canonical_id_contradicts_ticker: { status: 400, charged: false },
  unknown_route: { status: 404, charged: false },
  unknown_venue: { status: 404, charged: false },
  unknown_ticker: { status: 404, charged: false },
  not_listed: { status: 404, charged: false },
  no_data: { status: 404, charged: false },
  single_venue: { status: 404, charged: false },
  method_not_allowed: { status: 405, charged: false },
  ambiguous_ticker: { status: 409, charged: false },
  payment_in_flight: { status: 409, charged: null },
  identifier_used: { status: 409, charged: false },
  already_paid: { status: 409, charged: false },
  malformed_request: { status: 400, charged: false },
  request_timeout: { status: 408, charged: false },
  header_too_large: { status: 431, charged: false },
  rate_limited: { status: 429, charged: false },
  too_many_connections: { status: 503, charged: false },
  internal: { status: 500, charged: false },
  not_ready: { status: 503, charged: false },
  stream_full: { status: 503, charged: false },
  shutting_down: { status: 503, charged: false },
  facilitator_unavailable: { status: 503, charged: false },
  settlement_unknown: { status: 503, charged: null },
  ledger_unavailable: { status: 503, charged: false },
  answer_store_full: { status: 503, charged: false },
} as const;

/** Fields that are times. */
export const DATE_FIELDS = ['last_update_at', 'since', 'started_at', 'from', 'to', 'start', 'end', 'at', 'updated_at', 'opens_at', 'next_funding_time', 'rate_updated_at', 'mark_updated_at', 'open_interest_updated_at', 'last_payment_at', 'index_updated_at', 'book_updated_at', 'timestamp', 'window_start', 'window_end', 'bucket_start', 'hour', 'current_ts', 'past_ts', 'recorded_before', 'known_at', 'from_ts', 'to_ts', 'ts', 'fees_noted_from', 'opened_at', 'closed_at', 'as_of', 'effective', 'validFrom', 'expires'] as const;
