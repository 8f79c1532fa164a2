/**
 * Measures ten thousand watches over a changing market: the time from a row's change to its firing, what they cost beside the same
 * run without them, and how many are registered and ended a minute. `npm run bench watch -- --help`; exit 1 where a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keyOf, uniform } from '@perpmeter/sim/noise';
import { type Measured, printBars } from '../scripts/bars.ts';
import { createBookStore } from '../src/market/books/book-store.ts';
import { makeMarket, makePatch, type QuoteSketch } from '../src/market/market-fixture.ts';
import { ROUTES } from '../src/modules/routes.ts';
import { newRecord, WatchDesk } from '../src/modules/watch/desk.ts';
import { TURN_MS, WatchEngine } from '../src/modules/watch/engine.ts';
import { openWatchStore } from '../src/modules/watch/watch-store.ts';
import { type AskedCondition, readCondition } from '../src/modules/watch-conditions/condition.ts';
import type { Firing } from '../src/modules/webhook/firing.ts';
import { readPorts } from '../src/runtime/port.ts';
import { wait } from '../src/runtime/timer.ts';
import { Tape } from '../src/tape/tape.ts';
import { atOnce } from '../test/at-once.ts';
import { describeMachine } from './machine.ts';

const { values: args } = parseArgs({
  options: {
    watches: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});
const USAGE = `Usage: npm run bench watch -- [options]

  --watches <n>  watches that are held (10000)
  --seconds <n>  length of each of the two runs (30)
  --help         this text

Exit code 1 where a bar is missed.
`;
const VENUES = 30;
const ASSETS = 100;
/** A venue is read this often. */
const POLL_MS = 5000;
/** Some tens of firings a second: far more than buyers of ten thousand watches would stand. */
const LEVEL = 0.00098;
const P99_BAR_MS = 2000;
const CORE_BAR_PERCENT = 5;
const RATE_BAR = 1000;
/** Watches that are ended for the rate of ending. */
const ENDED = 1000;

const venueOf = (n: number): string => `venue${n % VENUES}`;
const assetOf = (n: number): string => `COIN${n % ASSETS}`;

/** Every asset on every venue; one row in ten has another rate at each poll, every row another mark. */
function benchMarket() {
  const fixture = makeMarket();
  const assets = Array.from({ length: ASSETS }, (_, n) => assetOf(n));
  const rates = new Map<string, number>();
  /** When the rate of a venue and an asset last became another one. */
  const changedAt = new Map<string, number>();
  for (let n = 0; n < VENUES; n++) fixture.list(venueOf(n), assets);
  const tape = new Tape({
    table: fixture.market.sink,
    books: createBookStore({ clock: { now: fixture.now } }).bookSink,
    logger: { info: () => {}, warn: () => {} },
  });
  const poll = (n: number, round: number): void => {
    const venue = venueOf(n);
    const quotes = assets.map((base, asset): QuoteSketch => {
      const key = `${venue} ${base}`;
      const draw = uniform(keyOf(7, key), round);
      if (draw < 0.1 || !rates.has(key)) {
        rates.set(key, ((draw * 10) % 1) * 0.002 - 0.001);
        changedAt.set(key, performance.now());
      }
      return {
        symbol: `${base}USDT`,
        mark: 100 + asset + draw,
        index: 100 + asset,
        rate: rates.get(key) ?? 0,
        interval: 8,
        volumeUsd: 1e8,
        interestUsd: 1e8,
      };
    });
    tape.sinks.market.quotes(venue, quotes.map(makePatch), fixture.now());
  };
  return { ...fixture, tape, poll, changedAt };
}

type BenchMarket = ReturnType<typeof benchMarket>;

/** The kinds that buyers ask most, over all assets and venues. */
function askedOf(n: number): Partial<AskedCondition> {
  const place = Math.floor(n / ASSETS) + n;
  const venue = venueOf(place);
  const ticker = assetOf(n);
  if (n % 20 === 0) return { kind: 'price_gap', ticker, above: 200 };
  if (n % 20 === 1) return { kind: 'spread', ticker, venue: `${venue},${venueOf(place + 7)}`, above: 15 };
  if (n % 20 === 2) return { kind: 'flip', ticker, venue };
  if (n % 20 === 3) return { kind: 'interval', ticker, venue };
  const level = LEVEL + (n % 7) * 0.000001;
  return { kind: 'funding', ticker, venue, above: level, reset: level / 2, firings: 1000 };
}

function conditionOf({ market }: BenchMarket, n: number) {
  const asked = { for_minutes: 0, firings: 1000, ...askedOf(n) } as AskedCondition;
  const read = readCondition(asked, market.view, () => undefined);
  if (!read.ok) throw new Error(read.error.detail);
  return read.value;
}

interface Run {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly delays: readonly number[];
  readonly firings: number;
  readonly registeredAMinute: number;
  readonly endedAMinute: number;
}

/** Runs the market in real time, with so many watches; 0 = none are held. */
async function run(watches: number, seconds: number): Promise<Run> {
  const market = benchMarket();
  const folder = mkdtempSync(join(tmpdir(), 'bench-watch-'));
  const store = openWatchStore(folder);
  const { tape, clock, ports } = wired(market);
  const delays: number[] = [];
  const told = ({ kind, condition }: Firing): void => {
    const changedAt = market.changedAt.get(`${condition.venue} ${condition.ticker}`);
    if (kind === 'fired' && changedAt !== undefined) delays.push(performance.now() - changedAt);
  };
  const quiet = (): void => {};
  const listener = { held: quiet, released: quiet, forgotten: quiet, told };
  const onError = (cause: unknown): never => {
    throw cause;
  };
  const statementOf = (): undefined => undefined;
  const engine = new WatchEngine({
    store,
    ports,
    routes: ROUTES,
    clock,
    owner: 'bench',
    listener,
    statementOf,
    onError,
  });
  const desk = new WatchDesk({ store, engine, clock, isCharging: true, delivery: undefined });
  tape.listen('watch', { changed: (state, change) => engine.touch(state, change) });
  for (let n = 0; n < VENUES; n++) market.poll(n, 0);
  market.pass(TURN_MS);
  engine.turn();
  const registeredAMinute = register(desk, market, watches);
  for (let turn = 0; turn < 40; turn++) step(market, engine);
  delays.length = 0;
  const { cpuMs, wallMs } = await passTime(market, engine, seconds);
  const { firings } = engine.counts;
  const endedAMinute = end(engine);
  await engine.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  return { cpuMs, wallMs, delays, firings, registeredAMinute, endedAMinute };
}

/** Registers watches; how many a minute. */
function register(desk: WatchDesk, market: BenchMarket, watches: number): number {
  const began = performance.now();
  for (let n = 0; n < watches; n++) {
    const condition = conditionOf(market, n);
    const offered = atOnce(desk.offer(condition, 30));
    void desk.register(newRecord(offered, condition, undefined, []));
  }
  return (watches / Math.max(1, performance.now() - began)) * 60_000;
}

/** Ends watches one by one, each written before the next; how many a minute. */
function end(engine: WatchEngine): number {
  const ids = [...engine.records()].slice(0, ENDED).map(({ id }) => id);
  const began = performance.now();
  for (const id of ids) engine.end(id, 'removed');
  return (ids.length / Math.max(1, performance.now() - began)) * 60_000;
}

function wired(market: BenchMarket) {
  const clock = { now: market.now };
  const ports = {
    market: market.market.view,
    books: createBookStore({ clock }).view,
    health: { all: () => [], of: () => undefined },
    clock,
    readPort: readPorts(),
  };
  return { tape: market.tape, clock, ports };
}

function step(market: BenchMarket, engine: WatchEngine): void {
  market.pass(TURN_MS);
  engine.turn();
}

/** Polls and turns in real time; the CPU that it took, ms. */
async function passTime(
  market: BenchMarket,
  engine: WatchEngine,
  seconds: number,
): Promise<Pick<Run, 'cpuMs' | 'wallMs'>> {
  const began = performance.now();
  const before = process.cpuUsage();
  let round = 0;
  while (performance.now() - began < seconds * 1000) {
    const polls = Math.round((VENUES * TURN_MS) / POLL_MS);
    for (let n = 0; n < Math.max(1, polls); n++) {
      round += 1;
      market.poll(round % VENUES, Math.floor(round / VENUES) + 1);
    }
    await wait(TURN_MS);
    step(market, engine);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - began };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

if (args.help) console.log(USAGE);
else {
  const watches = Number(args.watches);
  const seconds = Number(args.seconds);
  console.log(describeMachine());
  const without = await run(0, seconds);
  const held = await run(watches, seconds);
  const shareOf = ({ cpuMs, wallMs }: Run): number => (cpuMs / wallMs) * 100;
  console.log(
    `${watches} watches, ${VENUES * ASSETS} contracts, ${held.firings} firings; percent of a core: ${shareOf(held).toFixed(1)}, without ${shareOf(without).toFixed(1)}`,
  );
  const bars: readonly Measured[] = [
    {
      name: 'row change to firing, p99, ms',
      value: percentile(held.delays, 0.99),
      sign: '<=',
      bar: P99_BAR_MS,
    },
    {
      name: 'percent of a core above none',
      value: shareOf(held) - shareOf(without),
      sign: '<=',
      bar: CORE_BAR_PERCENT,
    },
    { name: 'registered a minute', value: held.registeredAMinute, sign: '>=', bar: RATE_BAR },
    { name: 'ended a minute', value: held.endedAMinute, sign: '>=', bar: RATE_BAR },
  ];
  process.exitCode = printBars(bars) > 0 ? 1 : 0;
}
