import { MINUTE_MS } from '../runtime/duration.ts';
import { Repeats } from '../runtime/repeats.ts';
import type { Timer } from '../runtime/timer.ts';
import type { Batch } from './batch.ts';
import type { NewestSample } from './newest-sample.ts';
import type { ReadingWatch } from './reading.ts';
import type { RollUps } from './roll-ups.ts';
import type { StoreResult } from './store.ts';

export interface HistoryFollowerOptions {
  readonly newest: Pick<NewestSample, 'find'>;
  readonly rollUps: Pick<RollUps, 'refresh' | 'redo' | 'leave'>;
  readonly reading: Pick<ReadingWatch, 'refresh' | 'follow' | 'stillSplit'>;
  readonly timer: Timer;
  /** Answers may have changed. */
  readonly onChange: () => void;
}

/** Follows what another process writes, and writes nothing. */
export class HistoryFollower {
  readonly #options: HistoryFollowerOptions;
  readonly #repeats: Repeats;
  #working: Promise<void> = Promise.resolve();
  #isOn = false;
  /** Samples that were still written here when this process kept the history no more. */
  #late: Batch[] = [];

  constructor(options: HistoryFollowerOptions) {
    this.#options = options;
    this.#repeats = new Repeats(options.timer);
  }

  /** Reads what there is, and begins. */
  async start(): Promise<StoreResult<void>> {
    const { rollUps, reading, newest } = this.#options;
    const rolled = await rollUps.refresh();
    const known = rolled.ok ? await reading.refresh() : rolled;
    if (!known.ok) return known;
    this.resume();
    return newest.find();
  }

  /** Begins again. */
  resume(): void {
    this.#isOn = true;
    this.#repeats.every(MINUTE_MS, () => {
      this.#working = this.#working.then(() => this.#follow());
    });
  }

  /** Resolves when the reading under way has ended, of which no more is begun. */
  async stop(): Promise<void> {
    this.#isOn = false;
    this.#repeats.stop();
    await this.#working;
  }

  /** Samples were written late: the process that keeps the history does not know of them. */
  wroteLate(batch: Batch): void {
    this.#late.push(batch);
  }

  async #follow(): Promise<void> {
    const { newest, rollUps, reading, onChange } = this.#options;
    const steps = [
      () => newest.find(),
      () => rollUps.refresh(),
      () => reading.follow(),
      () => this.#lookAtSplit(),
      () => this.#redoLate(),
    ];
    for (const step of steps) {
      // A process that is about to write reads all of it itself.
      if (!this.#isOn) return;
      await step();
    }
    onChange();
  }

  /** The process that keeps the history has rolled up the hours again that are read otherwise in part. */
  async #lookAtSplit(): Promise<void> {
    const { rollUps, reading } = this.#options;
    const split = await reading.stillSplit();
    if (split.ok && this.#isOn) rollUps.leave(split.value);
  }

  async #redoLate(): Promise<void> {
    const late = this.#late;
    const redone = late.length > 0 ? await this.#options.rollUps.redo(late) : undefined;
    if (redone?.ok === true) this.#late = this.#late.filter((batch) => !late.includes(batch));
  }
}
