import { join } from 'node:path';
import { Audit } from '../audit/audit.ts';
import { type AuditStores, openAudit } from '../audit/audit-stores.ts';
import { SecondReading } from '../audit/second-reading.ts';
import { type Collector, createCollector } from '../collect/collector.ts';
import type { LoadWatch } from '../collect/load-watch.ts';
import type { Clock } from '../domain/clock.ts';
import { asMs } from '../domain/units.ts';
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
  { store, audit }: Pick<Stores, 'store' | 'audit'>,
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
  const laws = new Audit(audit.incidents, clock);
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
  readonly audit: AuditStores;
  /** How far the back-fill is, where there is one. */
  readonly notes: Progress | undefined;
}

/** All, or why one cannot be opened; then none is. */
export async function openStores({ dataDir, history }: ServiceOptions): Promise<Stores | string> {
  const opened: (() => Promise<void>)[] = [];
  try {
    const store = openMarketStore(join(dataDir, 'market'));
    opened.push(() => store.close());
    const audit = await openAudit(dataDir);
    opened.push(() => audit.stop(asMs(0)));
    const notes = history?.backfill && openProgress(join(dataDir, 'backfill'));
    return { store, audit, notes };
  } catch (cause) {
    await Promise.all(opened.map((close) => close()));
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

/** What measures the data: second readings where the settings want them, and the counts that need none. */
export function secondReadingOf(
  { secondReader: settings, logger }: ServiceOptions,
  parts: Pick<Service, 'collector' | 'market' | 'load' | 'history'> & { audit: AuditStores; clock: Clock },
): SecondReading {
  const { collector, market, history, audit, clock, load } = parts;
  return new SecondReading({
    ...{ collector, history, clock, settings, logger, view: market.view, majors: PREVIEW_ASSETS },
    ...{ incidents: audit.incidents, days: audit.quality, isHeld: () => load.sheds('backfill') },
  });
}
