import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { openWatchStore } from '../../src/modules/watch/watch-store.ts';
import { bundle } from '../bundle.ts';
import { Random } from './random.ts';
import { openSharedStore } from './shared-watch-store.ts';
import type { Order, Passed } from './watch-engine-service.ts';
import { type StoredWatch, WatchJudge } from './watch-judge.ts';
import { type SoakedWatch, soakedWatches, tickAt } from './watch-truth.ts';

const SERVICE = new URL('./watch-engine-service.ts', import.meta.url);
/** Ticks between two faults, on average. */
const CALM_TICKS = 4;
/** A process is killed so soon after it has got a tick, at the latest. */
const KILL_WITHIN_MS = 30;
/** Ticks for which a process is stopped: its lease ends meanwhile. */
const PAUSED_TICKS = 3;
/** A span in which nobody looked may begin a tick before a fault, and ends within some after it. */
const SPAN_TICKS = 2 + PAUSED_TICKS;
const FAULTS = ['kill', 'kill', 'kill', 'kill the other', 'pause', 'stop'] as const;

export interface EngineSoakOptions {
  readonly folder: string;
  readonly seed: number;
  /** PostgreSQL that the two processes share as two hosts; left out: they are of one host, and share the folder. */
  readonly postgres?: string;
  /** Kills, pauses and stops. */
  readonly faults: number;
}

export interface EngineSoakReport {
  readonly watches: number;
  readonly ticks: number;
  readonly takeOvers: number;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
  readonly misnumbered: readonly string[];
  /** Firings that two processes have told. */
  readonly doubled: number;
  /** Spans that say that nobody watched where no process was hurt, or that lack data that was there. */
  readonly unfounded: number;
  readonly faults: readonly string[];
}

/** The store of a process's watches, as its arguments name it. */
interface Place {
  readonly folder: string;
  /** Name of its host and address of the server; none where the folder is all. */
  readonly shared: readonly string[];
}

/** One process. */
class Member {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly place: Place;
  readonly #lines: AsyncIterator<string>;
  holds = false;
  /** True once it has passed a tick: its clock is that of the others then. */
  hasPassed = false;
  /** The tick in which it goes on; 0 while it is not stopped. */
  pausedUntil = 0;

  private constructor(child: Member['child'], place: Place) {
    this.child = child;
    this.place = place;
    child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(place: Place, seed: number): Promise<Member> {
    const args = [await bundle(SERVICE), place.folder, String(seed), ...place.shared];
    return new Member(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }), place);
  }

  send(order: Order): void {
    this.child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  /** Its answer; undefined where it is gone. */
  async answer(): Promise<Passed | undefined> {
    const { done, value } = await this.#lines.next();
    if (done === true) return undefined;
    const passed = JSON.parse(value) as Passed;
    this.holds = passed.holds;
    this.hasPassed = true;
    return passed;
  }

  async end(how: 'kill' | 'stop'): Promise<void> {
    const gone = once(this.child, 'exit');
    if (how === 'kill') this.child.kill('SIGKILL');
    else this.child.stdin.end();
    await gone;
  }
}

/** Two processes, of one host or of two, of which one holds the watches, hurt again and again; then all that they told is held against the truth. */
export class EngineSoak {
  readonly #options: EngineSoakOptions;
  readonly #random: Random;
  readonly #watches: readonly SoakedWatch[];
  readonly #sold = new Map<string, { readonly watch: SoakedWatch; readonly soldAt: number }>();
  /** Ticks in which a process was hurt, and the first, in which none watches yet. */
  readonly #hurtIn: number[] = [1];
  readonly #told = new Map<string, number>();
  readonly #faults: string[] = [];
  #members: Member[] = [];
  #tick = 0;
  #takeOvers = 0;
  #soldUntil = 0;
  #holder: Member | undefined;

  constructor(options: EngineSoakOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#watches = soakedWatches(options.faults * (CALM_TICKS + 1));
  }

  async run(): Promise<EngineSoakReport> {
    const { seed, faults } = this.#options;
    try {
      for (const host of ['a', 'b']) this.#members.push(await Member.start(this.#placeOf(host), seed));
      await this.#pass();
      for (let fault = 0; fault < faults; fault += 1) {
        for (let calm = this.#random.between(1, 2 * CALM_TICKS - 1); calm > 0; calm -= 1) await this.#pass();
        await this.#hurt();
      }
      for (let calm = 0; calm < SPAN_TICKS; calm += 1) await this.#pass();
    } finally {
      for (const { child } of this.#members) child.kill('SIGKILL');
    }
    return this.#report();
  }

  #placeOf(host: string): Place {
    const { folder, postgres } = this.#options;
    if (postgres === undefined) return { folder, shared: [] };
    return { folder: join(folder, host), shared: [host, postgres] };
  }

  /** One tick of all. */
  async #pass(during?: () => Promise<void>): Promise<void> {
    this.#tick += 1;
    const tick = this.#tick;
    this.#wake(tick);
    const awake = this.#members.filter(({ pausedUntil }) => pausedUntil === 0);
    await this.#sell(
      tick,
      awake.filter(({ hasPassed }) => hasPassed),
    );
    for (const member of awake) member.send({ tick });
    await during?.();
    for (const member of awake) this.#hear(await member.answer());
    const holder = awake.find(({ holds }) => holds);
    if (holder !== undefined && holder !== this.#holder) this.#takeOvers += 1;
    this.#holder = holder ?? this.#holder;
  }

  /** Any process may sell: the one that holds the watches hears of it in the tick. */
  async #sell(tick: number, sellers: readonly Member[]): Promise<void> {
    const due = this.#watches.filter(({ soldIn }) => soldIn <= tick && soldIn > this.#soldUntil);
    if (sellers.length === 0 || due.length === 0) return;
    this.#soldUntil = tick;
    const seller = this.#random.pick(sellers);
    seller.send({ sell: due });
    const passed = await seller.answer();
    this.#hear(passed);
    for (const [at, watch] of due.entries()) {
      const id = passed?.ids[at];
      if (id !== undefined) this.#sold.set(id, { watch, soldAt: passed?.now ?? 0 });
    }
  }

  #hear(passed: Passed | undefined): void {
    if (passed === undefined) return;
    this.#faults.push(...passed.faults);
    for (const id of passed.told) this.#told.set(id, (this.#told.get(id) ?? 0) + 1);
  }

  #wake(tick: number): void {
    for (const member of this.#members) {
      if (member.pausedUntil === 0 || tick < member.pausedUntil) continue;
      member.pausedUntil = 0;
      member.child.kill('SIGCONT');
    }
  }

  async #hurt(): Promise<void> {
    const fault = this.#random.pick(FAULTS);
    const holder = this.#members.find(({ holds }) => holds) ?? this.#members[0];
    const other = this.#members.find((member) => member !== holder);
    const victim = fault === 'kill the other' ? other : holder;
    if (victim === undefined) throw new Error('no process is left');
    this.#hurtIn.push(this.#tick + 1);
    if (fault === 'pause') {
      victim.pausedUntil = this.#tick + PAUSED_TICKS;
      victim.child.kill('SIGSTOP');
      for (let tick = 0; tick < PAUSED_TICKS; tick += 1) await this.#pass();
      return;
    }
    const killMs = this.#random.next() * KILL_WITHIN_MS;
    if (fault === 'stop') await victim.end('stop');
    else
      await this.#pass(async () => {
        await new Promise((resolve) => setTimeout(resolve, killMs));
        await victim.end('kill');
      });
    this.#members = [
      ...this.#members.filter((member) => member !== victim),
      await Member.start(victim.place, this.#options.seed),
    ];
  }

  async #report(): Promise<EngineSoakReport> {
    const { seed, folder, postgres } = this.#options;
    const judge = new WatchJudge(seed);
    const store =
      postgres === undefined
        ? openWatchStore(folder)
        : await openSharedStore(postgres, join(folder, 'judge'));
    const stored = [...this.#sold].flatMap(([id, { watch, soldAt }]): StoredWatch[] => {
      const record = store.watch(id);
      if (record === undefined) return [];
      const firings = store.firings(id, 0, Number.MAX_SAFE_INTEGER);
      const { missing } = record.progress;
      return [{ id, asked: watch.asked, soldAt, endsAt: record.endsAt, firings, missing }];
    });
    await store.close();
    for (const watch of stored) judge.judge(watch, this.#tick);
    const { missed, wrong, misnumbered, right } = judge;
    const lost = this.#sold.size - stored.length;
    return {
      watches: this.#sold.size,
      ticks: this.#tick,
      takeOvers: this.#takeOvers,
      right,
      missed: lost === 0 ? missed : [...missed, `${lost} watches are not in the store`],
      wrong,
      misnumbered,
      doubled: [...this.#told.values()].filter((times) => times > 1).length,
      unfounded: stored.flatMap(({ missing }) => missing).filter((span) => !this.#isFounded(span)).length,
      faults: this.#faults,
    };
  }

  #isFounded({ from, to, reason }: StoredWatch['missing'][number]): boolean {
    const first = tickAt(from) - 1;
    const last = tickAt(to) + 1;
    const isHurt = this.#hurtIn.some((tick) => tick >= first - SPAN_TICKS && tick <= last);
    return (reason === 'not_watched' || reason === 'several') && isHurt;
  }
}
