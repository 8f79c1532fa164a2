import type { Problem } from '../result.ts';
import type { PerpArbitrageFundingSignalAnswer } from '../routes.ts';
import type { SocketMaker } from './socket.ts';

/** Fields of the rows that are of one contract. */
interface NamedRow {
  readonly venue: string;
  /** Ticker. */
  readonly symbol: string;
  readonly canonical_id: string;
  readonly venue_symbol: string;
  readonly quote: string;
  readonly multiplier: number;
  readonly uncomparable_reason?: string;
  /** Fields that are null, each with its reason. */
  readonly null_reasons?: Readonly<Record<string, string>>;
}

/** A fresh rate, in the words of `/v1/funding/current`. */
export interface FollowedFunding extends NamedRow {
  /** Fraction per interval of the venue; positive: longs pay shorts. */
  readonly rate: number | null;
  readonly rate_settled?: true;
  readonly funding_interval_hours: number | null;
  readonly rate_8h: number | null;
  readonly annualized_pct: number | null;
  readonly next_funding_time: string | null;
  readonly market_open?: boolean;
  readonly opens_at?: string;
  readonly rate_updated_at: string | null;
}

/** Best bid and ask in the quote currency; sizes where a fresh order book is followed. */
export interface FollowedTouch extends NamedRow {
  readonly best_bid: number | null;
  readonly bid_size?: number | null;
  readonly best_ask: number | null;
  readonly ask_size?: number | null;
  readonly source: 'stream' | 'rest' | 'list';
  readonly mark_price: number | null;
  readonly index_price: number | null;
  readonly updated_at: string | null;
}

/** The cost of an order of `size_usd` by a fresh order book, against its mid, in basis points; null where it is too thin. */
export interface FollowedQuote extends NamedRow {
  readonly size_usd: number;
  readonly best_bid: number | null;
  readonly best_ask: number | null;
  readonly spread_bps: number | null;
  readonly buy_slippage_bps: number | null;
  readonly sell_slippage_bps: number | null;
  /** Public fee of the base tier. */
  readonly taker_fee_bps: number | null;
  readonly bid_depth_usd: number;
  readonly ask_depth_usd: number;
  readonly max_fillable_usd: number;
  readonly source: 'stream' | 'rest';
  readonly updated_at: string | null;
}

/** The best pair of an asset, in the words of `/v1/perp/arbitrage/funding-signal`. */
export type FollowedSignal = PerpArbitrageFundingSignalAnswer['opportunities'][number];

/** Rows by topic. */
export interface FollowedRows {
  readonly funding: FollowedFunding;
  readonly touches: FollowedTouch;
  readonly quotes: FollowedQuote;
  readonly signals: FollowedSignal;
}
export type FollowedTopic = keyof FollowedRows;

/** A stream that was bought: its secret reads it. */
export interface PaidStream {
  readonly id: string;
  readonly secret: string;
}

export interface FollowOptions<T extends FollowedTopic = FollowedTopic> {
  /** Default: funding. */
  readonly topics?: readonly T[] | undefined;
  /** Only these assets, at most 200; default all, of which a minute takes ten paid minutes. */
  readonly symbol?: readonly string[] | undefined;
  readonly venues?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly quote?: readonly string[] | undefined;
  /** Size of `quotes`, US dollars; default 10,000. */
  readonly sizeUsd?: number | undefined;
  /** A stream that was bought before: it is read from its whole state on and extended, and keeps its selection. */
  readonly stream?: PaidStream | undefined;
  /** Most that may be spent on it, USD as decimal text; below the caps of the wallet. */
  readonly maxUsd: string;
  /** Most in any sixty minutes. */
  readonly maxUsdPerHour?: string | undefined;
  /** Most paid minutes that are bought: it ends with the last of them. */
  readonly minutes?: number | undefined;
  /** The protocol that it is read by: the events are the same; default `sse`. */
  readonly transport?: 'sse' | 'websocket' | undefined;
  /** The WebSocket of a runtime that has none, as Node.js 20: that of undici or ws; default the global one. */
  readonly webSocket?: SocketMaker | undefined;
  /** Ends it at once: no further minute begins. */
  readonly signal?: AbortSignal | undefined;
  /** A connection that is silent for so long is opened again, ms; default 45,000: the service speaks every 15 s. */
  readonly silentMs?: number | undefined;
}

/** Paid minutes of a stream so far. */
interface Sums {
  readonly paid: number;
  readonly credited: number;
  readonly used: number;
  /** paid + credited - used; negative: owed. */
  readonly left: number;
}

type TopicChanges<T extends FollowedTopic> = {
  readonly [K in T]: {
    /** New and changed rows, whole. */
    readonly rows: readonly FollowedRows[K][];
    /** Names of rows that are gone: `binance crypto:BTC`, of quotes with the size behind, of signals `crypto:BTC`. */
    readonly gone: readonly string[];
  };
};

interface Told {
  /** Id of the event. */
  readonly id: string;
}

interface Changed<T extends FollowedTopic> extends Told {
  readonly at: string;
  readonly topics: TopicChanges<T>;
}

/** Events of the service; its docs/paid-streams.md has the rules. */
export type StreamedEvent<T extends FollowedTopic = FollowedTopic> =
  | (Changed<T> & {
      readonly event: 'snapshot';
      readonly reason: 'start' | 'unknown_id' | 'too_old' | 'behind' | 'paused';
    })
  | (Changed<T> & { readonly event: 'change' })
  | (Changed<T> & { readonly event: 'conflated'; readonly looks: number })
  | (Told & Sums & { readonly event: 'due'; readonly ends_at: string; readonly extend: string })
  | (Told &
      Sums & { readonly event: 'paused'; readonly reason: 'unpaid' | 'no_data'; readonly extend: string })
  | (Told & Sums & { readonly event: 'resumed'; readonly reason: 'unpaid' | 'no_data' })
  | (Told &
      Sums & {
        readonly event: 'credited';
        readonly at: string;
        readonly minutes: number;
        readonly reason: 'shutdown' | 'killed';
      })
  | (Told &
      Sums & { readonly event: 'closing'; readonly reason: 'shutdown' | 'replaced' | 'unpaid' | 'no_data' });

/** Minutes were bought by the client. */
export interface BoughtMinutes {
  readonly event: 'bought';
  readonly minutes: number;
  /** Spent on this stream so far, USD as decimal text. */
  readonly spentUsd: string;
}

/** The last event, where neither the signal nor the caller has ended it. */
export interface FollowEnd {
  readonly event: 'ended';
  /** The reason, and its remedy; null after the last of `minutes`. */
  readonly problem: Problem | null;
  readonly spentUsd: string;
}

export type FollowEvent<T extends FollowedTopic = FollowedTopic> =
  | StreamedEvent<T>
  | BoughtMinutes
  | FollowEnd;

/** A stream that is followed: its events, and what they add up to. None of its functions rejects. */
export interface Following<T extends FollowedTopic = FollowedTopic>
  extends AsyncGenerator<FollowEvent<T>, void, undefined> {
  /** The rows of each topic as they stand after the last event, by name: `binance crypto:BTC`, of quotes `binance crypto:BTC 10000`, of signals `crypto:BTC`. */
  readonly rows: { readonly [K in T]: ReadonlyMap<string, FollowedRows[K]> };
  /** Reads the stream on, elsewhere or later; undefined until it is bought. */
  readonly stream: PaidStream | undefined;
  /** Spent on it, promised and possibly paid, USD as decimal text. */
  readonly spentUsd: string;
}
