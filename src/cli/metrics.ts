import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { BookReport } from '../collect/books/book-runner.ts';
import type { Backfill } from '../history/backfill/backfill.ts';
import type { History } from '../history/history.ts';
import type { Service } from '../service.ts';

const ATOMIC_PER_USD = 1_000_000;

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  collect: (set: (labels: Record<string, string>, value: number) => void) => void,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      collect((labels, value) => this.set(labels, value));
    },
  });
}

/** Metrics of a service in Prometheus text. */
export function metricsOf(service: Service): Registry {
  const { market, collector, outcomes } = service;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, 'perpmeter_rows', 'rows of the live table', [], (set) => set({}, market.view.size));
  gauge(registry, 'perpmeter_venue_status', '2 live, 1 stale, 0 down', ['venue'], (set) => {
    const value = { live: 2, stale: 1, down: 0 };
    for (const { venue, status } of collector.health.all()) set({ venue }, value[status]);
  });
  gauge(registry, 'perpmeter_venue_rejects', 'rows left out since start', ['venue', 'reason'], (set) => {
    for (const { venue, rejectsByReason } of collector.health.all()) {
      for (const [reason, count] of Object.entries(rejectsByReason)) set({ venue, reason }, count);
    }
  });
  gauge(registry, 'perpmeter_payments', 'payments since start', ['outcome'], (set) => {
    for (const [outcome, count] of outcomes) set({ outcome }, count);
  });
  marginMetrics(registry, service);
  bookMetrics(registry, service);
  if (service.history !== undefined) historyMetrics(registry, service.history);
  if (service.backfill !== undefined) backfillMetrics(registry, service.backfill);
  return registry;
}

/** What one call of each route leaves after the fee of its settlement; below zero where the fee is higher. */
export function marginMetrics(registry: Registry, { margins }: Pick<Service, 'margins'>): void {
  const help = 'price of one call less the fee of its settlement';
  gauge(registry, 'perpmeter_route_margin_usd', help, ['route'], (set) => {
    for (const [route, atomic] of margins()) set({ route }, Number(atomic) / ATOMIC_PER_USD);
  });
}

/** Made anew at most once a turn of the event loop: all gauges are collected in one. */
function onceATurn<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    if (made === undefined) {
      made = { value: make() };
      setImmediate(() => {
        made = undefined;
      });
    }
    return made.value;
  };
}

function bookMetrics(registry: Registry, { books, collector }: Service): void {
  const reports = onceATurn((): readonly (readonly [venue: string, report: BookReport])[] =>
    Object.entries(collector.stats().venues).flatMap(([venue, stats]) =>
      stats.books === undefined ? [] : [[venue, stats.books] as const],
    ),
  );
  gauge(registry, 'perpmeter_books', 'order books by state', ['venue', 'state'], (set) => {
    for (const [venue, { contracts, streamed, live, waiting, stream }] of reports()) {
      const no_room = stream?.topicsLeftOut ?? 0;
      for (const [state, count] of Object.entries({ contracts, streamed, live, waiting, no_room })) {
        set({ venue, state }, count);
      }
    }
  });
  gauge(registry, 'perpmeter_book_messages', 'book messages since start', ['venue', 'read'], (set) => {
    for (const [venue, { scanned, decoded, unfollowed }] of reports()) {
      for (const [read, count] of Object.entries({ scanned, decoded, unfollowed }))
        set({ venue, read }, count);
    }
  });
  gauge(registry, 'perpmeter_book_breaks', 'books that began anew', ['venue', 'fault'], (set) => {
    for (const [venue, { breaks }] of reports()) {
      for (const [fault, count] of Object.entries(breaks)) set({ venue, fault }, count);
    }
  });
  gauge(
    registry,
    'perpmeter_book_comparisons',
    'streamed books held against REST',
    ['venue', 'result'],
    (set) => {
      for (const [venue, { same, different, undecided }] of reports()) {
        for (const [result, count] of Object.entries({ same, different, undecided }))
          set({ venue, result }, count);
      }
    },
  );
  gauge(registry, 'perpmeter_book_bytes', 'memory of order-book levels', [], (set) =>
    set({}, books.memory().bytes),
  );
}

/** A venue whose contracts are awaited has none that lack something, so it is counted apart. */
function backfillMetrics(registry: Registry, backfill: Backfill): void {
  gauge(
    registry,
    'perpmeter_backfill_contracts',
    'contracts by state of their back-fill',
    ['state'],
    (set) => {
      const { contracts, done } = backfill.state();
      set({ state: 'done' }, done);
      set({ state: 'open' }, contracts - done);
    },
  );
  const help = 'contracts asked about and not whole';
  gauge(registry, 'perpmeter_backfill_incomplete', help, ['venue'], (set) => {
    for (const { venue, contracts } of backfill.state().incomplete) {
      if (contracts !== undefined) set({ venue }, contracts);
    }
  });
  gauge(registry, 'perpmeter_backfill_awaited', 'venues that show no contract yet', ['venue'], (set) => {
    for (const { venue, contracts } of backfill.state().incomplete)
      if (contracts === undefined) set({ venue }, 1);
  });
}

function historyMetrics(registry: Registry, history: History): void {
  gauge(registry, 'perpmeter_history_writing', '2 writing, 1 lagging, 0 read-only', [], (set) =>
    set({}, { writing: 2, lagging: 1, read_only: 0 }[history.state().write.mode]),
  );
  gauge(registry, 'perpmeter_history_lag_seconds', 'age of the newest stored sample', [], (set) => {
    const { lagSeconds } = history.state();
    if (lagSeconds !== undefined) set({}, lagSeconds);
  });
  gauge(registry, 'perpmeter_history_rows', 'rows of the store since start by fate', ['fate'], (set) => {
    const { queuedRows, writtenRows, lostRows, refusedRows } = history.state().write;
    set({ fate: 'waiting' }, queuedRows);
    set({ fate: 'written' }, writtenRows);
    set({ fate: 'lost' }, lostRows);
    set({ fate: 'refused' }, refusedRows);
  });
}
