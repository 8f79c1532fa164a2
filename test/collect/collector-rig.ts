import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect } from 'vitest';
import { type Collector, type CollectorOptions, createCollector } from '../../src/collect/collector.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { until } from '../until.ts';
import { type Loopback, serve } from './loopback.ts';
import { ManualTime } from './manual-time.ts';
import { RecordingSink, tinyVenue } from './tiny-venue.ts';

export type Answer = (res: ServerResponse, req: IncomingMessage) => void;

/** Answers a list of these contracts. */
export const rows = (...symbols: string[]): Answer => {
  return (res) => res.end(JSON.stringify(symbols.map((symbol) => ({ symbol, list: true }))));
};

/** Answers marks of these contracts. */
export const marks = (...symbols: string[]): Answer => {
  return (res) => res.end(JSON.stringify(symbols.map((symbol) => ({ symbol, mark: '5' }))));
};

/** A collector on time of its own, before a loopback server that plays all venues. */
export class CollectorRig {
  readonly time = new ManualTime();
  readonly sink = new RecordingSink();
  /** Answers by path; contracts or marks of A and B otherwise. */
  readonly answers: Record<string, Answer> = {};
  /** Paths asked for, in order. */
  readonly hits: string[] = [];
  readonly server: Loopback;
  collector: Collector | undefined;

  private constructor(server: Loopback) {
    this.server = server;
  }

  static async start(): Promise<CollectorRig> {
    let rig: CollectorRig | undefined;
    const server = await serve((req, res) => {
      const path = req.url ?? '';
      rig?.hits.push(path);
      const usual = path.endsWith('/instruments') ? rows('A', 'B') : marks('A', 'B');
      (rig?.answers[path] ?? usual)(res, req);
    });
    rig = new CollectorRig(server);
    return rig;
  }

  /** Makes the collector; nothing of it is sent before `start`. */
  collect(venues: readonly VenueAdapter[], more: Partial<CollectorOptions> = {}): Collector {
    const { options, ...rest } = more;
    this.collector = createCollector({
      venues,
      sink: this.sink,
      clock: this.time.clock,
      options: {
        timer: this.time.timer,
        random: () => 0.5,
        http: { deadlineMs: 5000 },
        circuit: { restMs: 1, longestRestMs: 1, retries: 0 },
        ...options,
      },
      ...rest,
    });
    return this.collector;
  }

  venueAt(id: string, more: Partial<VenueAdapter> = {}): VenueAdapter {
    return tinyVenue(id, `${this.server.url}/${id}`, more);
  }

  /** Moves on in steps until the condition holds. */
  async until(condition: () => void, stepMs = 100): Promise<void> {
    await until(async () => {
      await this.time.advance(stepMs);
      condition();
    });
  }

  /** Moves on in steps of 200 ms; before each, what these venues were asked has been answered. */
  async run(ms: number, ...venues: string[]): Promise<void> {
    const pending = (venue: string): number =>
      Object.values(this.collector?.stats().venues[venue]?.polls ?? {}).reduce(
        (sum, poll) => sum + poll.requests - poll.rounds,
        0,
      );
    for (let t = 0; t < ms; t += 200) {
      await this.time.advance(200);
      await until(() => expect(venues.map(pending)).toEqual(venues.map(() => 0)));
    }
  }

  async close(): Promise<void> {
    await this.collector?.stop();
    await this.server.close();
  }
}

/** A fresh rig for every test; after each, no timer waits and no rejection was left unhandled. */
export function eachWithRig(use: (rig: CollectorRig) => void): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => {
    unhandled.push(reason);
  };
  let rig: CollectorRig;
  beforeEach(async () => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
    rig = await CollectorRig.start();
    use(rig);
  });
  afterEach(async () => {
    await rig.close();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(rig.time.pending).toBe(0);
  });
}
