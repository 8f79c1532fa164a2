import { readText } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { timeCell } from '../../history/queries/cells.ts';
import type { HourSpan, OpenReading, ReadingOptions, Readings, ReadingWatch } from '../../history/reading.ts';
import { type StoreResult, stored } from '../../history/store.ts';
import { readingsOf } from './corrected-reading.ts';
import { activeAt, type Correction, keyOf } from './correction.ts';
import { readCorrections, recordDeclared } from './correction-log.ts';
import { splitHoursQuery } from './split-hours.ts';

/** The corrections of a store as they become known: operators note them while the service runs. */
export class CorrectionWatch implements ReadingWatch {
  readonly #options: ReadingOptions;
  /** Nothing is ever taken away, so what a node that was away has not is known from before. */
  readonly #held = new Map<string, Correction>();
  readonly #takenUp = new Set<string>();
  /** Those that cover hours in part which were not rolled up again when it was last looked. */
  readonly #splitting = new Map<string, Correction>();

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Those that stand as of a time. */
  active(at: UnixMs): readonly Correction[] {
    return activeAt(this.#held.values(), at);
  }

  at(moment: UnixMs): Readings {
    return readingsOf(this.active(moment));
  }

  /** Notes what this build declares: see `recordDeclared`. */
  beforeWriting(now: UnixMs): Promise<StoreResult<void>> {
    return recordDeclared(this.#options.store, now);
  }

  /** Reads what was noted since, and has the hours rolled up again that it covers in part. */
  async refresh(): Promise<StoreResult<void>> {
    const read = await readCorrections(this.#options.store);
    if (!read.ok) return read;
    for (const one of read.value) this.#held.set(keyOf(one), one);
    const now = this.#options.clock.now();
    for (const [key, one] of this.#held) {
      if (one.knownAt > now || this.#takenUp.has(key)) continue;
      const found = await this.#findSplit(one, now);
      if (!found.ok) return found;
      if (found.value.length > 0) this.#splitting.set(key, one);
      for (const { from, to, assets } of found.value) this.#options.onSplit(from, to, assets);
      this.#takenUp.add(key);
      this.#options.onChange();
    }
    return stored(undefined);
  }

  /** The same while the service runs: what cannot be read now is read the next time. */
  async follow(): Promise<void> {
    const done = await this.refresh();
    if (!done.ok) this.#options.logger.warn({ reason: done.fault.message }, 'corrections are not read');
  }

  /** The hours that still wait to be rolled up again, for a process that leaves that to another. */
  async stillSplit(): Promise<StoreResult<readonly HourSpan[]>> {
    const spans: HourSpan[] = [];
    for (const [key, one] of this.#splitting) {
      const found = await this.#findSplit(one, this.#options.clock.now());
      if (!found.ok) return found;
      if (found.value.length === 0) this.#splitting.delete(key);
      spans.push(...found.value);
    }
    return stored(spans);
  }

  async #findSplit(correction: Correction, now: UnixMs): Promise<StoreResult<readonly HourSpan[]>> {
    const { store, sampleMs } = this.#options;
    const since = asMs(Math.max(0, now - sampleMs));
    // An hour that was rolled up before holds nothing that was recorded later.
    const isWhole = correction.from === 0 && correction.before >= correction.knownAt;
    if (isWhole || correction.before < since || correction.metric === 'payment_time') return stored([]);
    const rows = await store.select(splitHoursQuery(correction, since), 'maintain');
    if (!rows.ok) return rows;
    return stored(
      rows.value.map(([asset, from, to]) => ({
        from: timeCell(from),
        to: timeCell(to),
        assets: [readText(asset) ?? ''],
      })),
    );
  }
}

/** The seam of the history: stored values are read as they are corrected. */
export const openCorrectedReading: OpenReading = (options) => new CorrectionWatch(options);
