import type { CollectLogger } from '../collect/logger.ts';
import type { Lease } from '../domain/lease.ts';
import { Repeats } from '../runtime/repeats.ts';
import type { Timer } from '../runtime/timer.ts';
import type { HistoryFollower } from './history-follower.ts';
import type { HistoryWriter } from './history-writer.ts';

const POLL_MS = 1000;

export interface WriterElectionOptions {
  readonly lease: Lease;
  readonly writer: HistoryWriter;
  readonly follower: HistoryFollower;
  /** This process has begun to write. */
  readonly onBegun: () => void;
  readonly timer: Timer;
  readonly logger: CollectLogger;
}

/** Has a process write the history while it holds the lease, and read it while it does not. */
export class WriterElection {
  readonly #options: WriterElectionOptions;
  readonly #repeats: Repeats;
  /** Under which this process writes. */
  #epoch: number | undefined;
  #turning: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: WriterElectionOptions) {
    this.#options = options;
    this.#repeats = new Repeats(options.timer);
  }

  start(): void {
    this.#options.lease.campaign(() => this.#look());
    this.#repeats.every(POLL_MS, () => this.#look());
  }

  /** Resolves when no change is under way, and none comes any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#repeats.stop();
    await this.#turning;
  }

  #look(): void {
    const { lease, writer } = this.#options;
    // A lease is still striven for until the feed is closed.
    if (this.#isStopped) return;
    if (this.#epoch === undefined) writer.watch();
    if (this.#turning !== undefined || lease.epoch() === this.#epoch) return;
    this.#turning = this.#turn().finally(() => {
      this.#turning = undefined;
    });
  }

  async #turn(): Promise<void> {
    const { lease, writer, follower, onBegun, logger } = this.#options;
    if (this.#epoch !== undefined) {
      logger.warn({ epoch: this.#epoch }, 'the history is left to others: its lease is not held any more');
      this.#epoch = undefined;
      await writer.quit();
      await writer.ended();
      follower.resume();
    }
    const epoch = lease.epoch();
    if (epoch === undefined) return;
    await follower.stop();
    const begun = await writer.start(epoch);
    if (begun.ok) {
      this.#epoch = epoch;
      logger.info({ epoch }, 'this process writes the history');
      onBegun();
      return;
    }
    logger.warn({ reason: begun.fault.message }, 'the history cannot be taken over: another may try');
    follower.resume();
    await lease.resign();
  }
}
