import '../../../test/property-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualTime, settled } from '../../../test/collect/manual-time.ts';
import { PROPERTY_RUNS } from '../../../test/property-runs.ts';
import { answered, Disk, type Request, rigOf, watchOf, welcome } from '../../../test/watch/delivery-rig.ts';
import { HOUR_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Posted } from './outbound.ts';

const WATCHES = ['w1', 'w2', 'w3'];
const never = <T>(): Promise<T> => new Promise(() => {});

/** A request that a receiver has taken. */
interface Taken {
  readonly watchId: unknown;
  readonly seq: unknown;
  readonly id: string | undefined;
}

/** A service that is killed before its so manyth step, over a disk and receivers that stay. */
class Mortal {
  readonly #rig: ReturnType<typeof rigOf>;
  readonly #killAt: number;
  readonly #disk: Disk;
  #steps = 0;

  constructor(disk: Disk, startMs: number, killAt: number, answer: (request: Request) => Posted) {
    this.#killAt = killAt;
    this.#disk = disk;
    const acknowledge = (watchId: string, seq: number): void => {
      if (this.#step()) disk.acknowledge(watchId, seq);
    };
    const store = {
      firings: disk.firings.bind(disk),
      acknowledged: disk.acknowledged.bind(disk),
      acknowledge,
    };
    this.#rig = rigOf({
      disk,
      store,
      time: new ManualTime(startMs),
      records: disk.records(() => this.#step()),
      answer: async (request) => {
        if (!this.#step()) return never();
        const posted = answer(request);
        return this.#step() ? posted : never();
      },
    });
    for (const id of WATCHES) this.#rig.deliveries.add(watchOf(id));
  }

  get isDead(): boolean {
    return this.#steps >= this.#killAt;
  }

  get now(): number {
    return this.#rig.time.now;
  }

  get waiting(): number {
    return this.#rig.deliveries.counts.waiting;
  }

  fire(watchId: string): void {
    const firing = this.#disk.fire(watchId);
    if (!this.isDead) this.#rig.deliveries.queue(firing);
  }

  advance(ms: number): Promise<void> {
    return this.isDead ? settled() : this.#rig.time.advance(ms);
  }

  /** Counts a step; false from the one on before which it is killed. */
  #step(): boolean {
    if (this.isDead) return false;
    this.#steps += 1;
    return !this.isDead;
  }
}

const event = fc.oneof(
  fc.record({ watch: fc.constantFrom(...WATCHES) }),
  fc.record({ wait: fc.constantFrom(0, SECOND_MS, 60 * SECOND_MS, HOUR_MS) }),
);
const scenario = fc.record({
  /** The receivers' answers in the order of requests; they mean well after these. */
  fails: fc.array(fc.boolean(), { maxLength: 60 }),
  events: fc.array(event, { minLength: 1, maxLength: 30 }),
  /** Steps after which one process after the other is killed. */
  kills: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 12 }),
});

describe('a service that is killed at any step of a delivery', () => {
  it('each firing: taken in order or given up with a reason, none lost', () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ fails, events, kills }) => {
        const disk = new Disk();
        const taken: Taken[] = [];
        let asked = 0;
        const answer = (request: Request): Posted => {
          if (request.body.event === 'challenge') return welcome(request);
          if (fails[asked++] === true) return answered(500);
          const { watch_id: watchId, sequence: seq } = request.body;
          taken.push({ watchId, seq, id: request.message.headers['perpmeter-delivery'] });
          return welcome(request);
        };
        let deaths = 0;
        let process = new Mortal(disk, Date.UTC(2026, 10, 29), kills[0] ?? Infinity, answer);
        const revive = (): void => {
          if (!process.isDead) return;
          deaths += 1;
          process = new Mortal(disk, process.now, kills[deaths] ?? Infinity, answer);
        };
        for (const next of events) {
          if ('watch' in next) process.fire(next.watch);
          else await process.advance(next.wait);
          await settled();
          revive();
        }
        do {
          await process.advance(HOUR_MS);
          revive();
        } while (process.isDead || process.waiting > 0);
        // The next start sets right what a kill has left behind.
        process = new Mortal(disk, process.now, Infinity, answer);

        for (const watchId of WATCHES) {
          const fired = disk.firings(watchId, 0, 1000).map(({ seq }) => seq);
          const own = taken.filter((firing) => firing.watchId === watchId);
          const seqs = own.map(({ seq }) => Number(seq));
          const givenUp = disk.record(watchId)?.givenUp ?? [];
          const known = new Set([...seqs, ...givenUp.map(({ seq }) => seq)]);
          expect([...known].sort((a, b) => a - b)).toEqual(fired);
          expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
          expect(own.map(({ id }) => id)).toEqual(seqs.map((seq) => `${watchId}.${seq}`));
          expect(givenUp.every(({ reason }) => reason === 'HTTP 500')).toBe(true);
          expect(disk.acknowledged(watchId)).toBe(fired.length);
        }
        const repeats = taken.length - new Set(taken.map(({ id }) => id)).size;
        // A kill cuts off one attempt of each watch at most.
        expect(repeats).toBeLessThanOrEqual(deaths * WATCHES.length);
      }),
      { numRuns: 60 * PROPERTY_RUNS.times },
    ));
});
