import type { UnixMs } from '../../../domain/units.ts';
import { DAY_MS } from '../../../runtime/duration.ts';
import { Distribution } from './distribution.ts';
import { type QualityCount, type QualityDay, worse } from './quality-day.ts';

/** Days that have passed, added up. */
interface PassedDays {
  readonly from: UnixMs;
  /** Start of the first day that is not in it. */
  readonly until: UnixMs;
  readonly sum: QualityCount;
}

/** The days of one measure. The sum of its days is kept but for the newest, which is still counted. */
export class DaySeries {
  readonly #days = new Map<UnixMs, QualityDay>();
  #newest: UnixMs | undefined;
  #passed: PassedDays | undefined;

  /** Some day of it; undefined where there is none. */
  get any(): QualityDay | undefined {
    return this.#days.values().next().value;
  }

  all(): Iterable<QualityDay> {
    return this.#days.values();
  }

  /** The counts of a day, about to be added to. */
  open(day: UnixMs): QualityDay | undefined {
    this.#change(day);
    return this.#days.get(day);
  }

  put(day: QualityDay): void {
    this.#days.set(day.day, day);
    if (this.#newest === undefined || day.day > this.#newest) this.#newest = day.day;
    this.#change(day.day);
  }

  delete(day: UnixMs): void {
    this.#days.delete(day);
    this.#change(day);
  }

  /** Sum of the days that a window touches; undefined where it touches none. */
  sum(from: UnixMs, to: UnixMs): QualityCount | undefined {
    const any = this.any;
    const newest = this.#newest;
    if (any === undefined || newest === undefined) return undefined;
    const total = emptyLike(any);
    let isTouched = false;
    const take = (count: QualityCount): void => {
      add(total, count);
      isTouched = true;
    };
    if (to > newest) {
      const passed = this.#passedFrom(any, from, newest);
      if (passed.values.count > 0) take(passed);
      const last = this.#days.get(newest);
      if (last !== undefined && newest + DAY_MS > from) take(last);
    } else {
      for (const day of this.#days.values()) if (touches(day, from, to)) take(day);
    }
    return isTouched ? total : undefined;
  }

  #passedFrom(like: QualityCount, from: UnixMs, until: UnixMs): QualityCount {
    const held = this.#passed;
    if (held !== undefined && held.until === until && firstDay(held.from) === firstDay(from)) return held.sum;
    const sum = emptyLike(like);
    for (const day of this.#days.values()) if (touches(day, from, until)) add(sum, day);
    this.#passed = { from, until, sum };
    return sum;
  }

  #change(day: UnixMs): void {
    if (this.#passed !== undefined && day < this.#passed.until) this.#passed = undefined;
  }
}

/** Start of the first day that a window from then on touches. */
const firstDay = (from: UnixMs): number => Math.floor(from / DAY_MS);

const touches = ({ day }: QualityDay, from: UnixMs, to: UnixMs): boolean => day + DAY_MS > from && day < to;

const emptyLike = ({ kind, venue, field }: QualityCount): QualityCount => ({
  kind,
  venue,
  field,
  values: new Distribution(),
  agreed: 0,
  worst: undefined,
});

function add(sum: QualityCount, count: QualityCount): void {
  sum.values.merge(count.values);
  sum.agreed += count.agreed;
  sum.worst = worse(sum.worst, count.worst);
}
