import { isWire, wireArray } from '../../domain/read.ts';
import type { Child } from '../../host/process/child.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { wait } from '../../runtime/timer.ts';

/** Least of what a ready demo holds; one of fewer venues holds all of them. */
const READY = { venues: 8, rows: 2000 };
const leastOf = (all: number): typeof READY =>
  all < READY.venues ? { venues: Math.max(1, all), rows: 1 } : READY;
/** Readiness waits this long for all venues, then for the least: a busy machine is slow. */
const ALL_VENUES_MS = 40_000;
/** A start that gets no further for so long is given up; one that does only takes long. */
const STUCK_MS = MINUTE_MS;
const POLL_MS = 100;
/** Without a terminal a line is printed this often. */
const LINE_EVERY_MS = 2000;
/** Venues that are waited for are named where they are so few. */
const NAMED = 3;

export interface DemoHealth {
  readonly live: number;
  readonly all: number;
  readonly rows: number;
  /** True if the service sells; undefined where it serves free. */
  readonly paying: boolean | undefined;
  /** Percent of the back-fill of the priority assets; undefined without history. */
  readonly backfill: number | undefined;
}

async function readHealth(base: string): Promise<DemoHealth | undefined> {
  try {
    const body: unknown = await (await fetch(`${base}/v1/health`)).json();
    if (!isWire(body) || !isWire(body.venues) || !isWire(body.payments) || !isWire(body.store))
      return undefined;
    const { live = 0, stale = 0, down = 0 } = body.venues as Readonly<Record<string, number>>;
    const { ok, backfill_majors_pct: past } = body.store;
    const { mode, facilitator_ok: facilitator } = body.payments;
    return {
      live,
      all: live + stale + down,
      rows: Number(body.rows),
      paying: mode === 'off' ? undefined : facilitator === true,
      backfill: ok === null ? undefined : typeof past === 'number' ? past : 0,
    };
  } catch {
    return undefined;
  }
}

/** Venues that are not live yet. */
async function readWaiting(base: string): Promise<readonly string[]> {
  try {
    const body: unknown = await (await fetch(`${base}/v1/venues/health`)).json();
    const waiting = (wireArray(body) ?? []).filter(isWire).filter(({ status }) => status !== 'live');
    return waiting.map(({ venue }) => String(venue));
  } catch {
    return [];
  }
}

function hasLeast({ live, all, rows, paying }: DemoHealth): boolean {
  const least = leastOf(all);
  return live >= least.venues && rows >= least.rows && paying !== false;
}

/** Describes the part that a start waits for. */
async function waitsFor(base: string, health: DemoHealth | undefined): Promise<string> {
  if (health === undefined) return 'the service to listen';
  const waits: string[] = [];
  if (health.live < health.all) {
    const names = health.all - health.live <= NAMED ? await readWaiting(base) : [];
    const named = names.length > 0 ? ` (${names.join(', ')})` : '';
    waits.push(`${health.all - health.live} of ${health.all} venues${named}`);
  }
  if (health.all === 0) waits.push('venues');
  if (health.rows < leastOf(health.all).rows) waits.push(`rows (${health.rows})`);
  if (health.paying === false) waits.push('the facilitator');
  return waits.join(', ');
}

/** Says on standard error what is waited for: in one line of a terminal, else a line now and then. */
export class Progress {
  readonly #began: number;
  #said = 0;

  constructor(began: number) {
    this.#began = began;
  }

  say(text: string): void {
    const now = Date.now();
    const line = `starting, ${((now - this.#began) / 1000).toFixed(1)} s: waits for ${text}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
    else if (now - this.#said >= LINE_EVERY_MS) {
      process.stderr.write(`${line}\n`);
      this.#said = now;
    }
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

/** The furthest that a start has come, and since when. */
class Reached {
  #live = -1;
  #rows = -1;
  #at: number;

  constructor(began: number) {
    this.#at = began;
  }

  /** @returns true if more venues are live or more rows are held than ever before, or were within a minute */
  isMoving(health: DemoHealth | undefined, now: number): boolean {
    const { live = -1, rows = -1 } = health ?? {};
    if (live > this.#live || rows > this.#rows) this.#at = now;
    this.#live = Math.max(this.#live, live);
    this.#rows = Math.max(this.#rows, rows);
    return now - this.#at <= STUCK_MS;
  }
}

/**
 * Resolves when the demo holds what it must. Rejects when the service ends before, or gets no further for a minute.
 * @param began Unix ms, by the same clock as `now`
 */
export async function untilReady(
  base: string,
  service: Child,
  began: number,
  progress: Progress,
  now: () => number = Date.now,
): Promise<DemoHealth> {
  let ended = false;
  void service.exited.then(() => {
    ended = true;
  });
  const reached = new Reached(began);
  for (;;) {
    if (ended) throw new Error('the service ended before it was ready');
    const health = await readHealth(base);
    const at = now();
    if (health !== undefined && hasLeast(health)) {
      if (health.live === health.all || at - began > ALL_VENUES_MS) return health;
    }
    if (!reached.isMoving(health, at)) throw new Error('not ready, and nothing new within a minute');
    progress.say(await waitsFor(base, health));
    await wait(POLL_MS);
  }
}
