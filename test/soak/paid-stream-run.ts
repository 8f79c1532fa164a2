import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import { MinuteBuyer } from './paid-stream-buyer.ts';
import {
  CHOICES,
  type Followed,
  killsOf,
  type PaidSoakReport,
  staleRows,
  wrongReaders,
} from './paid-stream-followed.ts';
import { AWAY, type Host, Hosts, type Moment } from './paid-stream-hosts.ts';
import { judge, type Stated, type Verdict } from './paid-stream-judge.ts';
import { PaidReader } from './paid-stream-reader.ts';
import { Random } from './random.ts';
import { StreamReader } from './stream-reader.ts';

export interface PaidSoakOptions {
  readonly seed: number;
  readonly readers: number;
  readonly breaks: number;
  readonly kills: number;
  /** Seconds of the service. */
  readonly seconds: number;
  /** Time that a second of the service takes at least, ms. */
  readonly everyMs: number;
  /** Of the server that two hosts share; left out: one host, with a store of its own. */
  readonly postgres?: string;
}

const SETTLE_TURNS = 40;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Paid streams under readers that break off, payments that do not come, venues that fall silent, and kills. */
export class PaidSoak {
  readonly #options: PaidSoakOptions;
  readonly #random: Random;
  readonly #folder = mkdtempSync(join(tmpdir(), 'soak-paid-stream-'));
  readonly #buyer: MinuteBuyer;
  readonly #streams: Followed[] = [];
  readonly #free: StreamReader[] = [];
  readonly #kills: { readonly second: number; readonly host: number }[] = [];
  readonly #hosts: Hosts;
  /** The host that a reader is connected to. */
  readonly #hostOf = new Map<PaidReader, Host>();
  /** Venues that were silent, by second. */
  readonly #silentAt = new Map<number, readonly string[]>();
  #isStill = false;
  /** Begin of the change of each second, by host. */
  readonly #madeAt = new Map<string, number>();
  readonly #paidMs: number[] = [];
  readonly #later: { readonly second: number; readonly work: () => void }[] = [];
  #second = 1;
  #faults = 0;
  #silent: readonly string[] = [];
  #isEnding = false;

  constructor(options: PaidSoakOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#buyer = new MinuteBuyer(new Random(options.seed + 1));
    const { postgres } = options;
    this.#hosts = new Hosts({ folder: this.#folder, random: this.#random, postgres });
  }

  async run(): Promise<PaidSoakReport> {
    const { readers, breaks, kills, seconds } = this.#options;
    try {
      await this.#hosts.start(this.#moment());
      this.#silentAt.set(this.#second, this.#silent);
      while (this.#readers.length < readers) await this.#addStream(readers);
      this.#openFree(readers);
      this.#plan(breaks, kills, seconds);
      const end = this.#second + seconds;
      while (this.#second < end) await this.#turn();
      await this.#settle();
      return await this.#report();
    } finally {
      for (const reader of this.#readers) reader.cut();
      for (const reader of this.#free) reader.cut();
      await this.#hosts.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  get #readers(): readonly PaidReader[] {
    return this.#streams.flatMap(({ readers }) => readers);
  }

  #moment(): Moment {
    return { second: this.#second, silent: this.#silent };
  }

  async #addStream(most: number): Promise<void> {
    const { rows, selection } = this.#random.pick(CHOICES);
    const minutes = this.#random.between(1, 3);
    const offered = await this.#hosts.pick().process.call({ kind: 'offer', selection, minutes });
    const { id, secret, ...rest } = offered as { id: string; secret: string; selection: { uses: number } };
    const stream: Followed = {
      id,
      uses: rest.selection.uses,
      rows,
      readers: [],
      served: [],
      servedBy: [],
      opened: [],
      paused: [],
      decidedFor: -1,
    };
    this.#streams.push(stream);
    this.#buyer.pay(id, minutes, this.#second, { secret, ...rest });
    await this.#buyer.announce(() => this.#hosts.pick().process);
    const count = Math.min(this.#random.between(1, 2), most - this.#readers.length);
    for (let at = 0; at < count; at += 1) {
      const reader = this.#readerOf(stream, secret);
      stream.readers.push(reader);
      this.#open(reader, stream);
    }
  }

  #readerOf(stream: Followed, secret: string): PaidReader {
    const { seed } = this.#options;
    const reader: PaidReader = new PaidReader(stream.id, secret, `${seed} ${this.#readers.length}`, {
      rows: (at, held, isChange) => {
        const second = (Date.parse(at) - FIXTURE_NOW) / 1000;
        stream.served.push(second);
        const host = this.#hostOf.get(reader)?.at ?? 0;
        stream.servedBy.push({ second, host });
        const madeAt = this.#madeAt.get(`${host} ${second}`);
        if (isChange && madeAt !== undefined) this.#paidMs.push(Date.now() - madeAt);
        return this.#isStill ? 0 : staleRows(held, second, this.#silentAt.get(second) ?? []);
      },
      paused: () => stream.paused.push(this.#second),
      due: (paid) => this.#decide(stream, paid),
      ended: () => this.#after(this.#random.between(1, 3), () => this.#open(reader, stream)),
    });
    return reader;
  }

  #open(reader: PaidReader, stream: Followed): void {
    const host = this.#hosts.pick();
    this.#hostOf.set(reader, host);
    stream.opened.push({ second: this.#second, host: host.at });
    reader.open(host.base, this.#random.pick(['events', 'socket'] as const));
  }

  /** Does something in some seconds of the service. */
  #after(seconds: number, work: () => void): void {
    this.#later.push({ second: this.#second + seconds, work });
  }

  /** A payment that is asked for comes at once, late, or very late: until then the stream is unpaid. */
  #decide(stream: Followed, paid: number): void {
    if (paid <= stream.decidedFor || this.#isEnding) return;
    stream.decidedFor = paid;
    const delay = this.#random.pick([0, 0, 2, 14, 22, 40, 90]);
    this.#after(delay, () =>
      this.#buyer.pay(stream.id, stream.uses * this.#random.between(1, 2), this.#second),
    );
  }

  #openFree(readers: number): void {
    for (let at = 0; at < readers; at += 1) {
      const reader: StreamReader = new StreamReader(`${this.#hosts.pick().base}/free`);
      this.#free.push(reader);
      reader.open();
    }
  }

  /** Breaks, kills and silences at seconds of the seed. */
  #plan(breaks: number, kills: number, seconds: number): void {
    const random = this.#random;
    const end = this.#second + seconds;
    for (let at = 0; at < breaks; at += 1) {
      this.#after(random.between(2, seconds - 5), () => {
        const stream = random.pick(this.#streams);
        const reader = random.pick(stream.readers);
        reader.cut();
        const away = random.chance(0.05) ? random.between(30, 80) : random.between(0, 4);
        // All have come back when the rows that they hold are compared.
        this.#after(Math.min(away, end - this.#second), () => this.#open(reader, stream));
      });
    }
    for (let at = 1; at <= kills; at += 1) {
      const middle = Math.floor((seconds * at) / (kills + 1));
      this.#after(middle + random.between(-5, 5), () => {
        this.#kills.push({ second: this.#second, host: this.#hosts.pick().at });
      });
    }
    for (let at = 0; at < Math.ceil(seconds / 120); at += 1) {
      const venues = random.pick([['okx'], ['bybit'], ['okx', 'bybit'], ['binance', 'okx', 'bybit']]);
      const from = random.between(5, seconds - 60);
      this.#after(from, () => this.#silence(venues));
      this.#after(from + random.between(10, 55), () => this.#silence([]));
    }
  }

  #silence(venues: readonly string[]): void {
    this.#silent = venues;
    this.#hosts.tell({ kind: 'silent', venues });
  }

  async #turn(): Promise<void> {
    const began = Date.now();
    const before = this.#kills.length;
    for (const due of this.#later.filter(({ second }) => second <= this.#second)) {
      this.#later.splice(this.#later.indexOf(due), 1);
      due.work();
    }
    await this.#hosts.returnBy(this.#moment());
    for (const { host } of this.#kills.slice(before)) await this.#kill(host);
    await this.#buyer.announce(() => this.#hosts.pick().process);
    // Made known before the frames come: they are read later in this process than the word of the service.
    this.#second += 1;
    this.#silentAt.set(this.#second, this.#silent);
    const { serving } = this.#hosts;
    for (const { at } of serving) this.#madeAt.set(`${at} ${this.#second}`, Date.now());
    const faults = await Promise.all(serving.map((host) => this.#turnOf(host)));
    this.#faults = Math.max(this.#faults, ...faults);
    await wait(Math.max(0, this.#options.everyMs - (Date.now() - began)));
  }

  async #turnOf({ at, process }: Host): Promise<number> {
    const { second, madeAt, faults } = await process.turn();
    this.#madeAt.set(`${at} ${second}`, madeAt);
    return faults;
  }

  async #kill(at: number): Promise<void> {
    await this.#hosts.kill(at, { ...this.#moment(), second: this.#second + AWAY });
    if (this.#hosts.isOne) this.#second += AWAY;
    this.#silentAt.set(this.#second, this.#silent);
    for (const reader of this.#free) {
      reader.cut();
      Object.assign(reader, { url: `${this.#hosts.pick().base}/free` });
      reader.open();
    }
  }

  /** All is paid, nothing is silent, and nothing changes: each reader gets all that it lacks. */
  async #settle(): Promise<void> {
    this.#isEnding = true;
    this.#silence([]);
    for (const { id, uses } of this.#streams) this.#buyer.pay(id, uses * 10, this.#second);
    for (let at = 0; at < SETTLE_TURNS; at += 1) await this.#turn();
    this.#isStill = true;
    this.#hosts.tell({ kind: 'still' });
    for (let at = 0; at < SETTLE_TURNS / 4; at += 1) await this.#turn();
  }

  async #report(): Promise<PaidSoakReport> {
    const ids = this.#streams.map(({ id }) => id);
    const silent = [...this.#silentAt].flatMap(([second, venues]) => (venues.length > 0 ? [second] : []));
    const meters = (await this.#hosts.pick().process.call({ kind: 'meters', ids })) as readonly Stated[];
    const verdicts = this.#streams.map((stream, at) =>
      judge(
        {
          uses: stream.uses,
          payments: this.#buyer.ledger.get(stream.id) ?? [],
          silent,
          served: stream.served,
          paused: stream.paused,
          emptyConnections: stream.readers.reduce((sum, { emptyConnections }) => sum + emptyConnections, 0),
        },
        meters[at] ?? { paid: 0, credited: 0, used: 0 },
        killsOf(stream, this.#kills, this.#hosts.isOne),
      ),
    );
    const sum = (read: (reader: PaidReader) => number): number =>
      this.#readers.reduce((total, reader) => total + read(reader), 0);
    const of = (read: (verdict: Verdict) => number): number =>
      verdicts.reduce((total, verdict) => total + read(verdict), 0);
    return {
      unpaidSeconds: of(({ unpaidSeconds }) => unpaidSeconds),
      uncredited: of(({ uncredited }) => uncredited),
      wrongSums: of(({ wrongSums }) => wrongSums),
      streams: this.#streams.length,
      payments: this.#buyer.payments,
      kills: this.#kills.length,
      breaks: {
        events: sum((reader) => reader.byTransport.events),
        socket: sum((reader) => reader.byTransport.socket),
      },
      unsaid: sum(({ unsaid }) => unsaid),
      wrong: wrongReaders(this.#streams),
      wholes: sum(({ wholes }) => wholes),
      conflated: sum(({ conflated }) => conflated),
      paused: this.#streams.reduce((total, { paused }) => total + paused.length, 0),
      refused: sum(({ refused }) => refused),
      faults: this.#faults,
      paidMs: this.#paidMs,
      freeMs: this.#free.flatMap(({ latenciesMs }) => latenciesMs),
    };
  }
}
