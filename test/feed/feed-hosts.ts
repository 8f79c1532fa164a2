import { silentLogger } from '../../src/collect/logger.ts';
import type { HealthBoard, VenueHealth } from '../../src/collect/ports.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { FundingPoint } from '../../src/domain/quote.ts';
import type { VenueId } from '../../src/domain/venue.ts';
import type { Feed, FeedSource, Followed } from '../../src/feed/ports.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import type { MarketRow } from '../../src/market/view.ts';
import type { TapeListener } from '../../src/tape/listener.ts';
import { type Sinks, Tape } from '../../src/tape/tape.ts';
import { memoryIdentityStore, memorySourceIdStore } from '../market/memory-stores.ts';

/** A table with its books, as a service has them. */
export interface Host {
  readonly market: Market;
  readonly books: BookStore;
  /** Payments that came by themselves. */
  readonly payments: FundingPoint[];
}

/** A tape over a host's table and books; what it carries of payments is noted. */
function tapeOver({ market, books, payments }: Host): Tape {
  const tape = new Tape({ table: market.sink, books: books.bookSink, logger: silentLogger });
  tape.listen('payments', { payments: (_venue, funding) => void payments.push(...funding) });
  return tape;
}

export interface CollectingHost extends Host {
  /** The receivers of its collector's data. */
  readonly sinks: Sinks;
  /** Books that sellers told they read. */
  readonly wanted: string[];
  /** Its collector's health of a venue. */
  readonly says: Map<VenueId, VenueHealth>;
}

export function host(clock: Clock, health?: HealthBoard): Host {
  const market = createMarket({
    clock,
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    ...(health !== undefined && { health: (venue) => health.of(venue) }),
  });
  return { market, books: createBookStore({ clock }), payments: [] };
}

/** @param publish a feed's */
export function collecting(clock: Clock, publish: (source: FeedSource) => TapeListener): CollectingHost {
  const made = host(clock);
  const wanted: string[] = [];
  const says = new Map<VenueId, VenueHealth>();
  const tape = tapeOver(made);
  const published = publish({
    state: (venue) => made.market.stateOf(venue),
    health: { of: (venue) => says.get(venue) },
    isOverloaded: () => false,
    books: made.books.view.passive,
    want: (venue, symbol) => wanted.push(`${venue} ${symbol}`),
  });
  tape.listen('feed', published);
  return { ...made, sinks: tape.sinks, wanted, says };
}

/** A host that collects nothing. */
export function selling(clock: Clock, follow: Feed['follow']): Host & { readonly followed: Followed } {
  let followed: Followed | undefined;
  const made = host(clock, {
    all: () => followed?.health.all() ?? [],
    of: (venue) => followed?.health.of(venue),
  });
  followed = follow(tapeOver(made).sinks);
  return { ...made, followed };
}

/** Rows without what is each table's own: the numbers of their changes. */
export function rowsOf({ market }: Host): readonly Omit<MarketRow, 'version'>[] {
  market.sweep();
  return market.view.rows().map(({ version: _own, ...row }) => row);
}

/** A collector's health of a venue in order. */
export function live(venue: VenueId, clock: Clock): VenueHealth {
  const now = clock.now();
  const rejects = { rejects5m: 0, rejectsByReason: {}, errorRate5m: 0, lastError: undefined };
  return { venue, status: 'live', lastUpdateAt: now, since: now, ...rejects };
}
