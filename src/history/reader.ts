import type {
  FundingPayment,
  HistoricalValue,
  KnownRange,
  Measure,
  RateAt,
  SeriesBucket,
  SettledBucket,
  SettledMean,
  SettledSpans,
  TakerFee,
} from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { type FeeScope, feesQuery, readFee } from './fee-watch.ts';
import type { HourParts } from './hourly-sql.ts';
import { MemoizedResult } from './memoized-result.ts';
import { type PaidContract, PaymentCache } from './payment-cache.ts';
import {
  BASELINE_MIN_HOURS,
  type BaselineScope,
  type Baselines,
  baselineQuery,
  readBaseline,
  readRolledTo,
  rolledToQuery,
} from './queries/baselines.ts';
import { bucketQuery, readBucket } from './queries/buckets.ts';
import {
  fundingPaymentsQuery,
  type PaymentScope,
  readFundingPayment,
  readSettledMean,
  settledMeansQuery,
} from './queries/funding-payments.ts';
import {
  type HistoricalRowsScope,
  historicalRowsQuery,
  type KnownOfRow,
  readHistoricalRow,
} from './queries/historical-rows.ts';
import { interestQuery, readInterest } from './queries/historical-value.ts';
import { type Known, type KnownScope, knownRangeQuery, readKnownRange } from './queries/known-range.ts';
import { latestHours } from './queries/latest-hours.ts';
import { type RatesAtScope, ratesAtQuery, readRateAt } from './queries/rates-at.ts';
import type { MomentScope, Scope, SinceScope } from './queries/scope.ts';
import { readSettled, settledQuery } from './queries/settled.ts';
import { readSettledSpans, SPANS_MS, settledSpansQuery } from './queries/settled-spans.ts';
import {
  type LastShown,
  readShownContract,
  type ShownScope,
  shownContractsQuery,
} from './queries/shown-contracts.ts';
import {
  type NewPayment,
  newPaymentsQuery,
  readNewPayment,
  readShownRate,
  type ShownRate,
  shownRatesQuery,
} from './queries/shown-rates.ts';
import { readStoredId, type StoredScope, storedIdsQuery } from './queries/stored-ids.ts';
import { readRows } from './read-rows.ts';
import type { ReaderOptions } from './reader-options.ts';
import {
  ALL_AS_STORED,
  type PaymentTimes,
  type Reading,
  type ReadingChange,
  type Readings,
} from './reading.ts';
import { type Cells, type Query, type StoreResult, stored } from './store.ts';

const BASELINE_DAYS = 7;
/** Payments of all contracts are added up at most this often; at first, while the back-fill brings them, each minute. */
const SPANS_STEP_MS = 10 * MINUTE_MS;
const FIRST_SPANS_STEP_MS = MINUTE_MS;
const BEGUN_MS = 15 * MINUTE_MS;
/** The questions that history answers. Nothing here changes anything. */
export class HistoryReader {
  readonly #options: ReaderOptions;
  /** Keyed by their hours and by the way in which they are read. */
  readonly #baselines = new MemoizedResult<Baselines>();
  readonly #spans = new MemoizedResult<readonly SettledSpans[]>();
  #spansAsked: number | undefined;
  readonly #startedAt: UnixMs;

  readonly #recentPayments: PaymentCache;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#recentPayments = new PaymentCache((scope) => this.fundingPayments(scope), options.clock);
  }

  /** Buckets of a window by venue, contract and time. Ends of the window are whole hours. */
  async buckets(
    scope: Scope,
    parts: HourParts,
    stepMs: number,
  ): Promise<StoreResult<readonly SeriesBucket[]>> {
    const measures = parts.lastRate === true ? [...parts.measures, 'rate' as const] : parts.measures;
    const read = { ...parts, reading: this.#readingOf(scope, measures) };
    const query = bucketQuery(scope, read, stepMs, { samplesFrom: this.#samplesFrom(scope) });
    return this.#list(query, (cells) => readBucket(cells, parts), query.revisions ? latestHours : undefined);
  }

  /** Funding payments of a window by venue, contract and time. */
  settled(scope: Scope, stepMs: number): Promise<StoreResult<readonly SettledBucket[]>> {
    return this.#list(settledQuery(scope, stepMs, this.#paymentTimes(scope)), readSettled);
  }

  /** Every funding payment of some assets by contract and time. */
  fundingPayments(scope: PaymentScope): Promise<StoreResult<readonly FundingPayment[]>> {
    return this.#list(fundingPaymentsQuery(scope, this.#paymentTimes(scope)), readFundingPayment);
  }

  /** Taker fees of some contracts from the first that was noted on, by contract and time. */
  takerFees(scope: FeeScope): Promise<StoreResult<readonly TakerFee[]>> {
    return this.#list(feesQuery(scope), readFee);
  }

  /** Payments of the last 30 days of some contracts, at most five minutes old, by `contractKey`. */
  recentPayments(
    contracts: readonly PaidContract[],
  ): Promise<StoreResult<ReadonlyMap<string, readonly FundingPayment[]>>> {
    return this.#recentPayments.of(contracts);
  }

  /** Mean funding as paid of some assets by contract and bucket. */
  settledMeans(scope: PaymentScope, stepMs: number): Promise<StoreResult<readonly SettledMean[]>> {
    return this.#list(settledMeansQuery(scope, stepMs, this.#paymentTimes(scope)), readSettledMean);
  }

  /** Payments that were first recorded in a span [after, to], of the last two days. */
  newPayments(after: UnixMs, to: UnixMs): Promise<StoreResult<readonly NewPayment[]>> {
    return this.#list(newPaymentsQuery(after, to), readNewPayment);
  }

  /** Rates as they were shown at some minutes, of some assets. */
  shownRates(
    canonicalIds: readonly string[],
    minutes: readonly UnixMs[],
  ): Promise<StoreResult<readonly ShownRate[]>> {
    return this.#list(shownRatesQuery(canonicalIds, minutes), readShownRate);
  }

  /** Rates of an asset that were sampled at some full minutes, by contract and time; at most some thousand minutes. */
  async ratesAt(scope: RatesAtScope): Promise<StoreResult<readonly RateAt[]>> {
    if (scope.minutes.length === 0) return stored([]);
    const from = asMs(Math.min(...scope.minutes));
    return this.#list(ratesAtQuery(scope, this.#readingOf({ ...scope, from }, ['rate'])), readRateAt);
  }

  /**
   * Open interest of each contract nearest to a time, at most so far from it, sampled and back-filled; the nearest stands
   * first.
   */
  interestAt(
    { canonicalId, venue, at, asOf }: MomentScope,
    withinMs: number,
  ): Promise<StoreResult<readonly HistoricalValue[]>> {
    const from = asMs(Math.ceil((at - withinMs) / 1000) * 1000);
    const to = asMs(at + withinMs + 1000);
    const scope = { canonicalId, venues: [venue], from, to, asOf };
    const reading = this.#readingOf(scope, ['interest']);
    return this.#list(interestQuery(scope, at, reading), readInterest);
  }

  /** The rows of the live table, of one asset or all, as they were sampled last by a time. */
  async historicalRows(
    scope: HistoricalRowsScope,
    knownOf: KnownOfRow,
  ): Promise<StoreResult<readonly MarketRow[]>> {
    const found = await this.#list(historicalRowsQuery(scope), (cells) =>
      readHistoricalRow(cells, scope.asOf, knownOf),
    );
    return found.ok ? stored(found.value.filter((row) => row !== undefined)) : found;
  }

  /** The contract that a venue's row of an asset showed last, by venue. */
  async shownContracts(scope: ShownScope): Promise<StoreResult<ReadonlyMap<VenueId, LastShown>>> {
    const found = await this.#list(shownContractsQuery(scope, this.#options.clock.now()), readShownContract);
    return found.ok ? stored(new Map(found.value)) : found;
  }

  /** Stored values of some measures of a window that are read otherwise than they were written, as of the requested time. */
  changes(scope: SinceScope, measures: readonly Measure[]): readonly ReadingChange[] {
    return this.#readingOf(scope, measures).changes;
  }

  #readings(asOf: UnixMs | undefined): Readings {
    const { clock, readings } = this.#options;
    return readings?.(asOf ?? clock.now()) ?? ALL_AS_STORED;
  }

  #readingOf(scope: SinceScope, measures: readonly Measure[]): Reading {
    return this.#readings(scope.asOf).of(scope, measures);
  }

  /** The times at which the payments of a window were made, as of the time that is asked for. */
  #paymentTimes(scope: SinceScope): PaymentTimes | undefined {
    return this.#readings(scope.asOf).payments(scope);
  }

  /**
   * The usual 24 h volume of every contract: kept until another hour is rolled up. As of a time, what was then.
   */
  async baselines(asOf?: UnixMs): Promise<StoreResult<Baselines>> {
    if (asOf !== undefined) return this.#historicalBaselines(asOf);
    const to = this.#options.rolledTo();
    const from = asMs(to - BASELINE_DAYS * DAY_MS);
    const reading = this.#readingOf({ from }, ['volumeUsd']);
    const scope = { from, to, minHours: BASELINE_MIN_HOURS, reading };
    return this.#baselines.of(`${to}\n${reading.key}`, () => this.makeBaselines(scope));
  }

  /** Payments of every contract over some spans until now: kept for ten minutes, at first for one. */
  settledSpans(): Promise<StoreResult<readonly SettledSpans[]>> {
    return this.#spans.of(String(this.#spansStep()), () => this.addUpSpans(this.#options.clock.now()));
  }

  protected addUpSpans(now: UnixMs): Promise<StoreResult<readonly SettledSpans[]>> {
    const times = this.#paymentTimes({ from: asMs(now - SPANS_MS) });
    return this.#list(settledSpansQuery(now, times), readSettledSpans);
  }

  /** Those of some ids under which anything is stored in a window. */
  protected storedIds(scope: StoredScope): Promise<StoreResult<readonly string[]>> {
    return this.#list(storedIdsQuery(scope), readStoredId);
  }

  /**
   * The same as it was added up last, without waiting; undefined before the first time. A store that fails is not asked
   * again before the step is over.
   */
  lastSettledSpans(): readonly SettledSpans[] | undefined {
    const step = this.#spansStep();
    if (this.#spansAsked !== step) void this.settledSpans();
    this.#spansAsked = step;
    return this.#spans.value;
  }

  /** When what was paid is added up: the end of the last whole step. */
  #spansStep(): number {
    const now = this.#options.clock.now();
    const step = now - this.#startedAt < BEGUN_MS ? FIRST_SPANS_STEP_MS : SPANS_STEP_MS;
    return now - (now % step);
  }

  /** First and last moment of which something is known, over all that is kept, or within the span that is given. */
  async knownRange(scope: KnownScope, known: Known): Promise<StoreResult<KnownRange | undefined>> {
    const { store, clock, rolledTo } = this.#options;
    const whole = { from: asMs(0), to: asMs(clock.now() + DAY_MS), ...scope };
    const read =
      known === 'settled'
        ? { known, times: this.#paymentTimes(whole) }
        : { known, reading: this.#readingOf(whole, [known]) };
    const samplesFrom = scope.asOf === undefined ? rolledTo() : this.#samplesFrom(whole);
    const rows = await store.select(knownRangeQuery(whole, read, samplesFrom));
    return rows.ok ? stored(readKnownRange(rows.value)) : rows;
  }

  /** From when on a window is read from the samples. */
  #samplesFrom({ canonicalId, asOf }: Scope): UnixMs {
    const { clock, retention, rolledTo, currentTo = rolledTo } = this.#options;
    const kept = asMs(Math.ceil((clock.now() - retention.sampleDays * DAY_MS) / HOUR_MS) * HOUR_MS);
    // The knowledge as of a time is in the samples only: a roll-up may be younger than they are.
    if (asOf !== undefined) return kept;
    return asMs(Math.max(kept, currentTo(canonicalId)));
  }

  async #historicalBaselines(asOf: UnixMs): Promise<StoreResult<Baselines>> {
    const rolled = await this.#options.store.select(rolledToQuery(asOf));
    if (!rolled.ok) return rolled;
    const to = readRolledTo(rolled.value);
    const from = asMs(to - BASELINE_DAYS * DAY_MS);
    const reading = this.#readingOf({ from, asOf }, ['volumeUsd']);
    return this.makeBaselines({ from, to, minHours: BASELINE_MIN_HOURS, reading, asOf });
  }

  protected async makeBaselines(scope: BaselineScope): Promise<StoreResult<Baselines>> {
    const rows = await this.#list(baselineQuery(scope), readBaseline);
    return rows.ok ? stored({ list: rows.value, from: scope.from, to: scope.to }) : rows;
  }

  #list<T>(
    query: Query,
    read: (cells: Cells) => T,
    choose?: (rows: readonly Cells[]) => readonly Cells[],
  ): Promise<StoreResult<readonly T[]>> {
    return readRows(this.#options.store, query, read, choose);
  }
}
