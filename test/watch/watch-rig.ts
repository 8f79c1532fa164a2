import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/domain/clock.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { makeMarket } from '../../src/market/market-fixture.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { newRecord, WatchDesk } from '../../src/modules/watch/desk.ts';
import { WatchEngine } from '../../src/modules/watch/engine.ts';
import { openWatchStore, type WatchStore } from '../../src/modules/watch/watch-store.ts';
import {
  type AskedCondition,
  type Condition,
  readCondition,
} from '../../src/modules/watch-conditions/condition.ts';
import type { Firing } from '../../src/modules/webhook/firing.ts';
import type { HistoryView, Ports } from '../../src/products/define-product.ts';
import { type FilledPort, readPorts } from '../../src/runtime/port.ts';
import { Tape } from '../../src/tape/tape.ts';
import { atOnce } from '../at-once.ts';

export interface WatchRigOptions {
  readonly ports?: readonly FilledPort[];
  readonly owner?: string;
  /** Folder of a store that is there. */
  readonly folder?: string;
  /** A store that is open, in the place of one in a folder. */
  readonly store?: WatchStore;
  readonly isCharging?: boolean;
  /** The time by which watches are held; left out: that of the market. */
  readonly clock?: Clock;
  /** Watches that are written at once. */
  readonly part?: number | undefined;
  /** The time that bounds the looks of a turn, ms; left out: a turn takes none, however busy the machine is. */
  readonly stopwatch?: () => number;
  /** Hears that a receiver may be challenged again. */
  readonly prove?: (id: string) => void;
}

/** Takes every receiver, and posts nothing. */
const DEAF = { fault: () => undefined, state: () => undefined };

export type MarketRig = ReturnType<typeof marketRig>;

/** A market on a clock of the test, whose tape is heard. @param historyOf makes the past that products have; left out: none */
export function marketRig(filled: readonly FilledPort[] = [], historyOf?: (clock: Clock) => HistoryView) {
  const fixture = makeMarket();
  const { market, now } = fixture;
  const clock = { now };
  const books = createBookStore({ clock });
  const logger = { info: () => {}, warn: () => {} };
  const tape = new Tape({ table: market.sink, books: books.bookSink, logger });
  const ports: Ports = {
    market: market.view,
    books: books.view,
    health: {
      all: () => [],
      of: (venue) =>
        ({ venue, status: market.view.venue(venue)?.status, lastUpdateAt: now(), since: now() }) as never,
    },
    clock,
    readPort: readPorts(...filled),
    ...(historyOf !== undefined && { history: historyOf(clock) }),
  };
  return { ...fixture, clock, tape, ports };
}

/** Watches over a market, on a store of their own, with a process that may be killed. */
export function watchRig(rig: MarketRig, options: WatchRigOptions = {}) {
  const { tape, ports } = rig;
  const { clock = rig.clock } = options;
  const { folder = mkdtempSync(join(tmpdir(), 'watches-')), owner = 'one', isCharging = true } = options;
  const delivery = { ...DEAF, prove: options.prove ?? (() => {}) };
  const { store = openWatchStore(folder) } = options;
  const told: Firing[] = [];
  const taken: string[] = [];
  const faults: unknown[] = [];
  const engine = new WatchEngine({
    store,
    ports,
    routes: ROUTES,
    clock,
    owner,
    part: options.part,
    stopwatch: options.stopwatch ?? (() => 0),
    listener: {
      held: ({ id }) => taken.push(id),
      released: () => {},
      forgotten: () => {},
      told: (firing) => told.push(firing),
    },
    statementOf: (record) => `statement of ${record.id}`,
    onError: (cause) => faults.push(cause),
  });
  const desk = new WatchDesk({ store, engine, clock, isCharging, delivery });
  const unlisten = tape.listen(owner, { changed: (state, change) => engine.touch(state, change) });
  return {
    store,
    engine,
    desk,
    told,
    taken,
    faults,
    folder,
    kinds: () => told.map(({ kind }) => kind),
    /** Some turns of the engine, and time between them. */
    turn: (times = 1, everyMs = 250) => {
      for (let turn = 0; turn < times; turn += 1) {
        rig.pass(everyMs);
        engine.turn();
      }
    },
    /** The same, of a store that answers later. */
    turned: async (times = 1, everyMs = 250): Promise<void> => {
      for (let turn = 0; turn < times; turn += 1) {
        rig.pass(everyMs);
        engine.turn();
        await engine.answered();
      }
    },
    /** A watch that was paid for; its id. */
    hold: (condition: Condition, days = 1): string => {
      const offered = atOnce(desk.offer(condition, days));
      if (isCharging) void desk.register(newRecord(offered, condition, '0xbuyer', [`sale of ${offered.id}`]));
      return offered.id;
    },
    ...ends({ engine, store, unlisten, folder }),
  };
}

function ends({
  engine,
  store,
  unlisten,
  folder,
}: {
  readonly engine: WatchEngine;
  readonly store: WatchStore;
  readonly unlisten: () => void;
  readonly folder: string;
}) {
  let isOpen = true;
  /** The process is gone without a word. */
  const kill = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    unlisten();
    await store.close();
  };
  const close = async (): Promise<void> => {
    if (isOpen) await engine.stop();
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { kill, close };
}

/** A condition as a request makes it. @throws Error where it is refused */
export function conditionFrom(rig: MarketRig, asked: Partial<AskedCondition>): Condition {
  const whole = { kind: 'funding', for_minutes: 0, firings: 100, ...asked } as AskedCondition;
  const read = readCondition(whole, rig.market.view, () => undefined);
  if (!read.ok) throw new Error(read.error.detail);
  return read.value;
}
