import type { Clock } from '../../../domain/clock.ts';
import { isFault } from '../../../domain/reject.ts';
import { baseName } from '../../../domain/ticker.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';
import type { BorrowRow, SpotDecoded } from '../../spot/spot-rows.ts';
import { type BorrowStore, type DayOfRates, dayOf } from './borrow-store.ts';

/** A venue's last words on borrowing a coin. */
export interface BorrowState {
  readonly row: BorrowRow;
  readonly receivedAt: UnixMs;
  /** Names of the calls that stated the coin. */
  readonly calls: readonly string[];
}

/** The statement of one call about a coin. */
type StatedPart = Omit<BorrowState, 'calls'>;

/** The word of a list on a coin. */
interface ListWord {
  readonly isListed: boolean;
  readonly at: UnixMs;
}

/** The latest list of what a venue lends. */
interface LendingList {
  readonly at: UnixMs;
  /** Coins whose rows could not be read, as the venue spells them and by name. */
  readonly doubted: ReadonlySet<string>;
  /** False where a row that could not be read may be of any coin. */
  readonly isWhole: boolean;
}

/** The mean of stored samples, fraction an hour, and how many hours it is of. */
export interface BorrowMean {
  readonly mean: number | undefined;
  readonly hours: number;
}

/** Read side of the borrow rates. */
export interface BorrowView {
  /** By the name of the coin without multiplier; undefined where the venue has not stated it. */
  stateOf(venue: VenueId, ticker: string): BorrowState | undefined;
  /**
   * The word of the latest list of all coins that a venue lends on one of them; undefined without one: it has not been read, or that
   * coin's row of it could not be.
   */
  listWord(venue: VenueId, list: string, ticker: string): ListWord | undefined;
  /** Mean of the samples of so many hours before now. */
  meanOf(venue: VenueId, ticker: string, hours: number): BorrowMean;
  /** Samples from one moment to another, the end not included, fractions an hour, by the start of their hour. */
  hoursOf(venue: VenueId, ticker: string, from: UnixMs, to: UnixMs): ReadonlyMap<number, number>;
}

/** Each coin and each list is read once an hour at least: words older than this count no more. */
export const BORROW_LIMIT_MS = 2 * HOUR_MS;

const HOURS_A_DAY = 24;
/** Days of samples that are kept. */
const KEPT_DAYS = 90;

/** The borrow rates of now, and a sample of each hour: the first of it that was read. */
export class BorrowTable implements BorrowView {
  readonly #store: BorrowStore;
  readonly #clock: Clock;
  /** Rows by venue, coin and the call that states them. */
  readonly #venues = new Map<VenueId, Map<string, Map<string, StatedPart>>>();
  /** By venue and call. */
  readonly #lists = new Map<string, LendingList>();
  #droppedDay: number | undefined;

  constructor(store: BorrowStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Takes over what a call states of coins: one call may have rates and another limits.
   *
   * @param call names it
   * @throws where the disk does not take the samples
   */
  take(venue: VenueId, call: string, { borrow }: Pick<SpotDecoded, 'borrow'>, at: UnixMs): void {
    if (borrow.length === 0) return;
    const coins = this.#venues.get(venue) ?? new Map<string, Map<string, StatedPart>>();
    this.#venues.set(venue, coins);
    for (const row of borrow) {
      const parts = coins.get(row.ticker) ?? new Map<string, StatedPart>();
      coins.set(row.ticker, parts.set(call, { row, receivedAt: at }));
    }
    this.#sample(venue, borrow, at);
  }

  stateOf(venue: VenueId, ticker: string): BorrowState | undefined {
    const parts = this.#venues.get(venue)?.get(ticker) ?? new Map<string, StatedPart>();
    return parts.size === 0 ? undefined : { ...joined([...parts.values()]), calls: [...parts.keys()] };
  }

  listWord(venue: VenueId, list: string, ticker: string): ListWord | undefined {
    const known = this.#lists.get(`${venue} ${list}`);
    if (known === undefined) return undefined;
    const isListed = this.#venues.get(venue)?.get(ticker)?.has(list) === true;
    const isUnsure = !known.isWhole || known.doubted.has(ticker);
    return !isListed && isUnsure ? undefined : { isListed, at: known.at };
  }

  /** False of a coin that the list of what a venue lends leaves out or refuses; true where nothing young is known of that. */
  mayLend(venue: VenueId, list: string, ticker: string): boolean {
    const word = this.listWord(venue, list, ticker);
    if (word === undefined || this.#clock.now() - word.at > BORROW_LIMIT_MS) return true;
    return word.isListed && this.#venues.get(venue)?.get(ticker)?.get(list)?.row.refused === undefined;
  }

  /**
   * Takes the list of all coins that a venue lends: what it stated before of those that it leaves out counts no more. A coin whose
   * row cannot be read is not left out, and a row of which not even the coin can be read leaves out none.
   */
  takeList(venue: VenueId, call: string, list: Pick<SpotDecoded, 'borrow' | 'rejects'>, at: UnixMs): void {
    if (list.borrow.length === 0) return;
    const unread = list.rejects.filter(isFault).map(({ symbol }) => symbol);
    const names = unread.filter((symbol) => symbol !== null);
    const doubted = new Set([...names, ...names.map((symbol) => baseName(symbol).ticker)]);
    const isWhole = names.length === unread.length;
    this.#lists.set(`${venue} ${call}`, { at, doubted, isWhole });
    const listed = new Set(list.borrow.map(({ ticker }) => ticker));
    for (const [ticker, parts] of isWhole ? (this.#venues.get(venue) ?? []) : []) {
      const asset = parts.get(call)?.row.asset ?? ticker;
      if (!listed.has(ticker) && !doubted.has(ticker) && !doubted.has(asset)) parts.clear();
    }
    this.take(venue, call, list, at);
  }

  meanOf(venue: VenueId, ticker: string, hours: number): BorrowMean {
    const end = (Math.floor(this.#clock.now() / HOUR_MS) + 1) * HOUR_MS;
    const rates = [...this.hoursOf(venue, ticker, asMs(end - hours * HOUR_MS), asMs(end)).values()];
    const sum = rates.reduce((total, rate) => total + rate, 0);
    return { mean: rates.length === 0 ? undefined : sum / rates.length, hours: rates.length };
  }

  hoursOf(venue: VenueId, ticker: string, from: UnixMs, to: UnixMs): ReadonlyMap<number, number> {
    const rates = new Map<number, number>();
    const days = new Map<number, DayOfRates | undefined>();
    for (let hour = Math.ceil(from / HOUR_MS); hour * HOUR_MS < to; hour++) {
      const day = Math.floor(hour / HOURS_A_DAY);
      if (!days.has(day)) days.set(day, this.#store.day(venue, ticker, day));
      const rate = days.get(day)?.[hour % HOURS_A_DAY] ?? undefined;
      if (rate !== undefined) rates.set(hour * HOUR_MS, rate);
    }
    return rates;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #sample(venue: VenueId, borrow: readonly BorrowRow[], at: UnixMs): void {
    const day = dayOf(at);
    const hour = Math.floor(at / HOUR_MS) % HOURS_A_DAY;
    const days = borrow.flatMap(({ ticker, ratePerHour, refused }) => {
      if (ratePerHour === undefined || refused !== undefined) return [];
      const stored = this.#store.day(venue, ticker, day) ?? new Array<null>(HOURS_A_DAY).fill(null);
      if ((stored[hour] ?? null) !== null) return [];
      return [{ venue, ticker, day, rates: stored.with(hour, ratePerHour) }];
    });
    if (days.length > 0) this.#store.save(days);
    if (this.#droppedDay === day) return;
    this.#store.dropBefore(day - KEPT_DAYS);
    this.#droppedDay = day;
  }
}

/** Joins the rows of several calls on a coin. It has no rate where one of them says that it is not lent; the time is the rate's. */
function joined(parts: readonly StatedPart[]): StatedPart {
  const [first] = parts;
  const rated = parts.find(({ row }) => row.rateRaw !== undefined) ?? first;
  const refusal = parts.find(({ row }) => row.refused !== undefined)?.row.refused;
  const whole: BorrowRow = Object.assign({}, ...parts.map(({ row }) => row));
  const { ratePerHour, refused: _, ...rest } = whole;
  const receivedAt = rated?.receivedAt ?? asMs(0);
  if (refusal !== undefined) return { row: { ...rest, refused: refusal }, receivedAt };
  return { row: ratePerHour === undefined ? rest : { ...rest, ratePerHour }, receivedAt };
}
