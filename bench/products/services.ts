import { renderProblem } from '../../src/api/problem.ts';
import type { ApiOptions } from '../../src/api/server.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import { asMs, type UnixMs } from '../../src/domain/units.ts';
import type { Baselines } from '../../src/history/queries/baselines.ts';
import type { StoreResult } from '../../src/history/store.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createFreePaywall } from '../../src/pay/free-paywall.ts';
import { examplePayments, examplePrices } from '../../test/api/example-api.ts';
import { createExampleHistory } from '../../test/api/example-history.ts';
import { runAdapter } from '../../test/venues/sim-run.ts';
import { fillBooks } from '../../test/world/world-books.ts';
import { createWorldMarket, WORLD_AT, type WorldMarket } from '../../test/world/world-market.ts';

/** The service's parts over the simulated world, payments off, with a table that goes on changing. */
export interface BenchWorld {
  readonly source: WorldMarket;
  readonly options: ApiOptions;
  /** All quotes of the next venue in turn, received now, with a mark that has moved. */
  readonly change: () => void;
}

export function benchWorld(): BenchWorld {
  const source = createWorldMarket();
  const began = Date.now();
  // The world's day, at the pace of ours.
  const clock = { now: (): UnixMs => asMs(WORLD_AT + (Date.now() - began)) };
  const books = createBookStore({ clock });
  fillBooks(books, source);
  const quotes = source.pairings.map(
    (pairing) =>
      [pairing.adapter.id, [...runAdapter(pairing, source.world, WORLD_AT).quotes.values()]] as const,
  );
  let turn = 0;
  const change = (): void => {
    source.moveTo(clock.now());
    const [venue, patches] = quotes[turn++ % quotes.length] ?? ['', []];
    source.market.sink.quotes(venue, patches.map(moved(turn)), clock.now());
  };
  const past = createExampleHistory(() => source.market.view.rows(), clock);
  // The reader keeps them until another hour is over.
  const baselines = past.reader.baselines().then(mostlyUsual);
  const options: ApiOptions = {
    routes: ROUTES,
    market: source.market.view,
    books: books.view,
    history: { ...past, reader: { ...past.reader, baselines: () => baselines } },
    health: { all: () => [], of: () => undefined },
    clock,
    paywall: createFreePaywall(renderProblem),
    payments: examplePayments(examplePrices(), 'off'),
    service: {
      baseUrl: 'http://127.0.0.1',
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: systemClock.now(),
    },
    report: ({ at, error }) => console.error(at, error),
  };
  return { source, options, change };
}

/** One contract in fifty trades twice what it does on other days. */
function mostlyUsual(found: StoreResult<Baselines>): StoreResult<Baselines> {
  if (!found.ok) return found;
  const list = found.value.list.map((row, i) =>
    i % 50 === 0 ? row : { ...row, median: row.median * (1.9 + (i % 7) / 35) },
  );
  return { ok: true, value: { ...found.value, list } };
}

const moved =
  (turn: number) =>
  (patch: QuotePatch): QuotePatch => {
    const { venueTime: _old, ...rest } = patch;
    const { markPrice } = rest;
    if (markPrice === undefined) return rest;
    return { ...rest, markPrice: (markPrice * (1 + (turn % 7) * 1e-5)) as typeof markPrice };
  };
