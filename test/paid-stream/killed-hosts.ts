import { asMs } from '../../src/domain/units.ts';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import { StreamDesk } from '../../src/modules/paid-stream/desk.ts';
import { GRACE_MS, isRunning, newMeter } from '../../src/modules/paid-stream/meter.ts';
import { MinuteKeeper } from '../../src/modules/paid-stream/minute-keeper.ts';
import type { OpenStream } from '../../src/modules/paid-stream/reader.ts';
import { filterOf } from '../../src/modules/paid-stream/selection.ts';
import type { StreamRecord } from '../../src/modules/paid-stream/stream-record.ts';
import { StreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { atOnce } from '../at-once.ts';
import { MemoryTables } from './memory-tables.ts';

const ID = 'stream';
const SECOND = 1000;

/** One of the hosts a and b, or the service as a whole: what happens next. */
export type Happening =
  | { readonly kind: 'open' | 'leave' | 'kill' | 'start' | 'silence'; readonly host: HostName }
  /** It does nothing for so many seconds, and goes on then. */
  | { readonly kind: 'hang'; readonly host: HostName; readonly seconds: number }
  | { readonly kind: 'pay'; readonly minutes: number }
  | { readonly kind: 'pass'; readonly seconds: number };
export type HostName = 'a' | 'b';

/** A run of a host, which has a name of its own in the store. */
interface Run {
  readonly owner: string;
  readonly keeper: MinuteKeeper;
  stream: OpenStream | undefined;
  hangsUntil: number;
  isSilent: boolean;
}

const record = (paid: number): StreamRecord => ({
  id: ID,
  secretHash: '',
  payer: undefined,
  selection: { topics: ['funding'], uses: 1 },
  boughtAt: 0,
  paidAt: 0,
  meter: newMeter(paid),
  servedBy: undefined,
  credits: [],
  untold: 0,
});

/**
 * One stream at two hosts of different machines, which are killed, started, and held up. It notes which minutes a host broke off, by
 * what readers got and when each host ended.
 */
export class KilledHosts {
  /** Minutes, by their numbers, in which a host was killed that had served them: each is to be credited once. */
  readonly broken = new Set<number>();
  /** Those that may be credited beside them: a host that has not said for long that it is there counts as gone since then. */
  readonly doubtful = new Set<number>();
  readonly #tables = new MemoryTables();
  readonly #store = new StreamStore(this.#tables);
  readonly #runs = new Map<HostName, Run>();
  /** The end of each minute by its number, and who has served it. */
  readonly #minutes = new Map<number, { endsAt: number; readonly servedBy: Set<string> }>();
  readonly #desk: StreamDesk;
  #now: number = FIXTURE_NOW;
  #count = 0;

  constructor(paid: number) {
    this.#tables.table<StreamRecord>('streams').put(ID, record(paid));
    this.#desk = new StreamDesk({
      store: this.#store,
      clock: { now: this.#time },
      isCharging: false,
      readers: () => 0,
    });
    this.#start('a');
    this.#start('b');
  }

  get record(): StreamRecord {
    return this.#store.find(ID) as StreamRecord;
  }

  happen(next: Happening): void {
    switch (next.kind) {
      case 'pass':
        for (let second = 0; second < next.seconds; second += 1) this.#pass();
        return;
      case 'pay':
        atOnce(this.#desk.extend(ID, next.minutes));
        this.#followEnd();
        return;
      case 'start':
        if (!this.#runs.has(next.host)) this.#start(next.host);
        return;
      default:
        this.#atHost(next);
    }
  }

  #atHost(next: Extract<Happening, { readonly host: HostName }>): void {
    const run = this.#runs.get(next.host);
    if (run === undefined || run.hangsUntil > this.#now) return;
    if (next.kind === 'open') this.#open(run);
    if (next.kind === 'leave') run.stream = undefined;
    if (next.kind === 'silence') run.isSilent = !run.isSilent;
    if (next.kind === 'hang') {
      run.hangsUntil = this.#now + next.seconds * SECOND;
      this.#doubt(run);
    }
    if (next.kind !== 'kill') return;
    this.#doubt(run);
    for (const [number, { endsAt, servedBy }] of this.#minutes)
      if (servedBy.has(run.owner) && this.#now < endsAt) this.broken.add(number);
    this.#runs.delete(next.host);
  }

  #doubt({ owner }: Run): void {
    const aliveAt = this.#tables.table<number>('processes').get(owner);
    for (const [number, { endsAt, servedBy }] of this.#minutes)
      if (servedBy.has(owner) && aliveAt !== undefined && aliveAt < endsAt) this.doubtful.add(number);
  }

  /** The record becomes what a build stores that kept nothing of other servers. */
  forgetServers(): void {
    const { beside: _, former: __, ...rest } = this.record;
    this.#tables.table<StreamRecord>('streams').put(ID, rest);
  }

  /** Nobody reads from now on, and what is gone is found. */
  end(): void {
    for (const host of ['a', 'b'] as const) {
      this.happen({ kind: 'start', host });
      this.happen({ kind: 'leave', host });
    }
    for (const run of this.#runs.values()) run.stream = undefined;
    this.happen({ kind: 'pass', seconds: 60 });
  }

  readonly #time = () => asMs(this.#now);

  #start(host: HostName): void {
    this.#count += 1;
    const owner = `${host} ${this.#count}`;
    const board = { has: (): boolean => !run.isSilent };
    const clock = { now: this.#time };
    const counts = { begun: 0, credited: 0 };
    const keeper = new MinuteKeeper({ store: this.#store, board, clock, elapsed: this.#time, owner, counts });
    const run: Run = { owner, keeper, stream: undefined, hangsUntil: 0, isSilent: false };
    this.#runs.set(host, run);
  }

  #open(run: Run): void {
    const { record: stored } = this;
    run.stream ??= {
      record: stored,
      filter: filterOf(stored.selection),
      readers: new Set(),
      phase: undefined,
      isHeld: true,
      silentSince: undefined,
      creditCount: 0,
      credits: [],
    };
    this.#serve(run);
  }

  #serve({ keeper, stream, owner, isSilent }: Run): void {
    if (stream === undefined) return;
    atOnce(keeper.advance([stream]));
    const { meter } = this.record;
    if (stream.phase !== 'served' || isSilent || !isRunning(meter, this.#now)) return;
    const minute = this.#minutes.get(meter.used) ?? { endsAt: 0, servedBy: new Set() };
    this.#minutes.set(meter.used, minute);
    minute.servedBy.add(owner);
    this.#followEnd();
  }

  /** A minute ends where its meter says so, or where it was stopped; one that is owed with the grace. */
  #followEnd(): void {
    const { meter } = this.record;
    const minute = this.#minutes.get(meter.used);
    if (minute === undefined) return;
    const isWaiting = meter.endsAt === undefined && minute.endsAt > this.#now;
    const graceEnds = meter.owedAt === undefined ? Number.POSITIVE_INFINITY : meter.owedAt + GRACE_MS;
    minute.endsAt = isWaiting ? this.#now : Math.min(meter.endsAt ?? minute.endsAt, graceEnds);
  }

  #pass(): void {
    this.#now += SECOND;
    for (const run of this.#runs.values()) {
      if (run.hangsUntil > this.#now) continue;
      this.#serve(run);
      this.#followEnd();
      atOnce(run.keeper.upkeep());
      this.#followEnd();
    }
  }
}
