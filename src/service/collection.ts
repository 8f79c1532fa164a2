import { join } from 'node:path';
import { Audit } from '../audit/audit.ts';
import { openIncidentStore } from '../audit/incident-store.ts';
import { Incidents } from '../audit/incidents.ts';
import { type Collector, createCollector } from '../collect/collector.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { Clock } from '../domain/clock.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Backfill } from '../history/backfill/backfill.ts';
import { openBackfill } from '../history/backfill/open-backfill.ts';
import { openProgress, type Progress } from '../history/backfill/progress.ts';
import type { History } from '../history/history.ts';
import { createBookStore } from '../market/books/book-store.ts';
import { createIdentityBook } from '../market/identity.ts';
import { createMarket } from '../market/live-table.ts';
import { type MarketStore, openMarketStore } from '../market/store-lmdb.ts';
import { PREVIEW_ASSETS } from '../products/preview-funding-current.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import type { Service, ServiceOptions } from './options.ts';

/**
 * The table, the books and the identities, and the collector that writes to them. History is opened later, since it reads
 * the table: `keep` makes it the receiver of what venues say of their history.
 */
export function collectInto(
  { store, incidents }: Pick<Stores, 'store' | 'incidents'>,
  options: ServiceOptions,
  clock: Clock,
  { sheds }: LoadWatch,
) {
  const { logger, venues, bases, transports, booksPerVenue } = options;
  let collector: Collector | undefined;
  let history: History | undefined;
  const wanted = (venue: VenueId, symbol: string): void => collector?.wantBook(venue, symbol);
  const books = createBookStore({ clock, wanted });
  const identity = createIdentityBook(store.identities);
  const laws = new Audit(incidents, clock);
  const market = createMarket({
    clock,
    identity,
    sourceIds: store.sourceIds,
    decisions: store.decisions,
    snapshotAssets: PREVIEW_ASSETS,
    health: (venue) => collector?.health.of(venue)?.status,
    bookEmptySince: (venue, symbol) => books.view.emptySince(venue, symbol),
    suspect: (venue, symbol) => laws.suspect(venue, symbol),
  });
  collector = createCollector({
    venues,
    sink: laws.before({
      ...market.sink,
      stores: [{ kinds: ['funding', 'history'], take: (...decoded) => history?.sink.take(...decoded) }],
    }),
    clock,
    bases,
    logger,
    books: {
      bookSink: books.bookSink,
      sheds,
      ...(booksPerVenue !== undefined && { streamed: booksPerVenue }),
    },
    ...(transports !== undefined && { transports }),
  });
  const keep = (opened: History): void => {
    history = opened;
  };
  return { market, books, collector, identity, laws, keep };
}

interface Stores {
  readonly store: MarketStore;
  readonly incidents: Incidents;
  /** How far the back-fill is, where there is one. */
  readonly notes: Progress | undefined;
}

/** All, or why one cannot be opened; then none is. */
export async function openStores({ dataDir, history }: ServiceOptions): Promise<Stores | string> {
  const opened: { close(): Promise<void> }[] = [];
  try {
    const store = openMarketStore(join(dataDir, 'market'));
    opened.push(store);
    const kept = openIncidentStore(join(dataDir, 'incidents'));
    opened.push(kept);
    const notes = history?.backfill && openProgress(join(dataDir, 'backfill'));
    return { store, incidents: new Incidents(kept), notes };
  } catch (cause) {
    await Promise.all(opened.map((one) => one.close()));
    return reasonOf(cause);
  }
}

/** The back-fill, where the settings want one. */
export function backfillOf(
  { history: settings, logger }: ServiceOptions,
  parts: Pick<Service, 'collector' | 'market' | 'load'> & {
    history: History;
    progress: Progress;
    clock: Clock;
  },
): Backfill | undefined {
  if (settings?.backfill === undefined) return undefined;
  const { market, load, ...others } = parts;
  return openBackfill({
    ...settings.backfill,
    ...{ ...others, logger, view: market.view, majors: PREVIEW_ASSETS, isHeld: () => load.sheds('backfill') },
  });
}
