import type {
  Baseline,
  FundingPayment,
  HistoricalValue,
  KnownRange,
  Listing,
  RateAt,
  SeriesBucket,
  SettledBucket,
  SettledMean,
  SettledSpans,
} from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { createRenames, type Era, partOf, type Renames } from '../market/registry/renames.ts';
import type { MarketRow } from '../market/view.ts';
import { HOUR_MS, SECOND_MS } from '../runtime/duration.ts';
import {
  boundsOf,
  everyEra,
  markedFormer,
  markedListing,
  minutesIn,
  nearestOf,
  type OfEra,
  type Window,
  widest,
  withoutOlderUnits,
} from './era-values.ts';
import type { HourParts } from './hourly-sql.ts';
import { joinedBaselines } from './join-baselines.ts';
import {
  bucketIn,
  joinBuckets,
  joinPayments,
  joinSettled,
  joinSettledMeans,
  meansOfPayments,
  rowIn,
  settledIn,
  valueIn,
  withoutCoverage,
} from './join-series.ts';
import { joinShown } from './join-shown.ts';
import { joinSpans } from './join-spans.ts';
import { contractIn, formerNamesWithin, presentList, presentRows } from './present-names.ts';
import type { BaselineScope, Baselines } from './queries/baselines.ts';
import { ofVenues, type PaymentScope } from './queries/funding-payments.ts';
import type { HistoricalRowsScope, KnownOfRow } from './queries/historical-rows.ts';
import type { Known, KnownScope } from './queries/known-range.ts';
import type { RatesAtScope } from './queries/rates-at.ts';
import type { MomentScope, Scope } from './queries/scope.ts';
import { SPANS_MS } from './queries/settled-spans.ts';
import type { LastShown, ShownScope } from './queries/shown-contracts.ts';
import type { ShownRate } from './queries/shown-rates.ts';
import type { StoredScope } from './queries/stored-ids.ts';
import { HistoryReader } from './reader.ts';
import type { ReaderOptions } from './reader-options.ts';
import { type StoreResult, stored } from './store.ts';

/**
 * The history under the present names of assets: what is stored under a former id is a part of the past of the asset, in
 * its present unit, and what another asset left under its name is not. Nothing stored is changed by that.
 */
export class JoinedReader extends HistoryReader {
  readonly #renames: Renames;

  constructor({ renames = createRenames(), ...options }: ReaderOptions & { readonly renames?: Renames }) {
    super(options);
    this.#renames = renames;
  }

  override async buckets(
    scope: Scope,
    parts: HourParts,
    stepMs: number,
  ): Promise<StoreResult<readonly SeriesBucket[]>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.buckets(scope, parts, stepMs);
    // An hour that the venue reported weighs as much as one of sixty samples, on either side of a change.
    const read = (part: Scope) => super.buckets(part, { ...parts, coverage: true }, stepMs);
    const found = await everyEra(eras, scope, read, bucketIn);
    if (!found.ok) return found;
    const joined = joinBuckets(withoutOlderUnits(scope.canonicalId, found.value));
    return stored(parts.coverage === true ? joined : joined.map(withoutCoverage));
  }

  override async settled(scope: Scope, stepMs: number): Promise<StoreResult<readonly SettledBucket[]>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.settled(scope, stepMs);
    const { canonicalId } = scope;
    const renamed = await this.#renamedWithin('settlements', scope, [canonicalId]);
    if (!renamed.ok) return renamed;
    // Across a change single payments say what each is for.
    const step = renamed.value.length === 0 ? stepMs : SECOND_MS;
    const found = await everyEra(eras, scope, (part: Scope) => super.settled(part, step), settledIn);
    return found.ok ? stored(joinSettled(withoutOlderUnits(canonicalId, found.value), stepMs)) : found;
  }

  override async fundingPayments(scope: PaymentScope): Promise<StoreResult<readonly FundingPayment[]>> {
    if (!this.#concernsRenamed(scope)) return super.fundingPayments(scope);
    const found = await this.#everyAsset(scope, (part) => super.fundingPayments(part));
    return found.ok ? stored(joinPayments(found.value)) : found;
  }

  override async settledMeans(
    scope: PaymentScope,
    stepMs: number,
  ): Promise<StoreResult<readonly SettledMean[]>> {
    if (!this.#concernsRenamed(scope)) return super.settledMeans(scope, stepMs);
    const renamed = await this.#renamedWithin('settlements', scope, scope.canonicalIds);
    if (!renamed.ok) return renamed;
    const canonicalIds = scope.canonicalIds.filter((id) => !renamed.value.includes(id));
    const read = (part: PaymentScope) => super.settledMeans(part, stepMs);
    const found = await this.#everyAsset({ ...scope, canonicalIds }, read);
    if (!found.ok) return found;
    const paid = await this.#paymentsOf({ ...scope, canonicalIds: renamed.value });
    if (!paid.ok) return paid;
    return stored(joinSettledMeans([...found.value, ...meansOfPayments(paid.value, stepMs)]));
  }

  override async interestAt(
    scope: MomentScope,
    withinMs: number,
  ): Promise<StoreResult<readonly HistoricalValue[]>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.interestAt(scope, withinMs);
    const { at } = scope;
    const window = { from: asMs(at - withinMs), to: asMs(at + withinMs + 1) };
    const read = (part: MomentScope) => super.interestAt(part, withinMs);
    const found = await everyEra(eras, { ...scope, ...window }, read, valueIn);
    return found.ok ? stored(nearestOf(scope.canonicalId, found.value, at)) : found;
  }

  override async historicalRows(
    scope: HistoricalRowsScope,
    knownOf: KnownOfRow,
  ): Promise<StoreResult<readonly MarketRow[]>> {
    const { canonicalId, asOf } = scope;
    const present = (id: string) => this.#renames.presentOf(id, asOf)?.canonicalId ?? id;
    const known: KnownOfRow = (venue, id) => knownOf(venue, present(id));
    const eras = canonicalId === undefined ? undefined : this.#eras(canonicalId);
    if (canonicalId === undefined || eras === undefined) {
      const found = await super.historicalRows(scope, known);
      return found.ok ? stored(presentRows(this.#renames, found.value, asOf)) : found;
    }
    const ticker = canonicalId.slice(canonicalId.indexOf(':') + 1);
    const moment = { from: asOf, to: asMs(asOf + 1) };
    const rows = new Map<string, MarketRow>();
    // The newest name stands last, and its rows before those of older ones.
    for (const era of eras) {
      if (partOf(era, moment) === undefined) continue;
      const found = await super.historicalRows({ canonicalId: era.canonicalId, asOf }, (venue) =>
        knownOf(venue, canonicalId),
      );
      if (!found.ok) return found;
      for (const row of found.value) rows.set(row.venue, { ...rowIn(era.factor, row), canonicalId, ticker });
    }
    return stored([...rows.values()].sort((a, b) => a.sourceId - b.sourceId));
  }

  override async knownRange(scope: KnownScope, known: Known): Promise<StoreResult<KnownRange | undefined>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.knownRange(scope, known);
    let range: KnownRange | undefined;
    for (const era of eras) {
      const { canonicalId } = era;
      const found = await super.knownRange({ ...scope, ...boundsOf(era), canonicalId }, known);
      if (!found.ok) return found;
      range = widest(range, found.value);
    }
    return stored(range);
  }

  override async shownContracts(scope: ShownScope): Promise<StoreResult<ReadonlyMap<VenueId, LastShown>>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.shownContracts(scope);
    const shown: OfEra<ReadonlyMap<VenueId, LastShown>>[] = [];
    for (const era of eras) {
      const found = await super.shownContracts({ ...scope, ...boundsOf(era), canonicalId: era.canonicalId });
      if (!found.ok) return found;
      shown.push({ era, value: found.value });
    }
    return stored(joinShown(shown));
  }

  /** Rates that were shown of the assets under the names that they had at these minutes. */
  override async shownRates(
    canonicalIds: readonly string[],
    minutes: readonly UnixMs[],
  ): Promise<StoreResult<readonly ShownRate[]>> {
    const plain = canonicalIds.filter((id) => this.#eras(id) === undefined);
    const found = plain.length === 0 ? stored([]) : await super.shownRates(plain, minutes);
    if (!found.ok) return found;
    const rates: ShownRate[] = [...found.value];
    for (const era of canonicalIds.flatMap((id) => this.#eras(id) ?? [])) {
      const within = minutesIn(era, minutes);
      if (within.length === 0) continue;
      const past = await super.shownRates([era.canonicalId], within);
      if (!past.ok) return past;
      for (const rate of past.value) rates.push(rate);
    }
    return stored(rates);
  }

  override async ratesAt(scope: RatesAtScope): Promise<StoreResult<readonly RateAt[]>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.ratesAt(scope);
    const rates: RateAt[] = [];
    for (const era of eras) {
      const minutes = minutesIn(era, scope.minutes);
      const past = await super.ratesAt({ ...scope, canonicalId: era.canonicalId, minutes });
      if (!past.ok) return past;
      for (const rate of past.value) rates.push(markedListing(rate, era, scope.canonicalId));
    }
    return stored(rates);
  }

  protected override async makeBaselines(scope: BaselineScope): Promise<StoreResult<Baselines>> {
    const found = await super.makeBaselines(scope);
    if (!found.ok) return found;
    const { from, to, minHours, asOf } = scope;
    const renamed = await this.#renamedWithin('hours', scope);
    if (!renamed.ok) return renamed;
    const joined: Baseline[] = [];
    for (const canonicalId of renamed.value) {
      const hours = await this.buckets({ canonicalId, from, to, asOf }, { measures: ['volumeUsd'] }, HOUR_MS);
      if (!hours.ok) return hours;
      joined.push(...joinedBaselines(canonicalId, hours.value, minHours));
    }
    const isJoined = new Set(joined.map(contractIn));
    const list = [...found.value.list.filter((known) => !isJoined.has(contractIn(known))), ...joined];
    return stored({ ...found.value, list: presentList(this.#renames, list) });
  }

  protected override async addUpSpans(now: UnixMs): Promise<StoreResult<readonly SettledSpans[]>> {
    const found = await super.addUpSpans(now);
    if (!found.ok) return found;
    const window = { from: asMs(now - SPANS_MS), to: asMs(now + SECOND_MS) };
    const renamed = await this.#renamedWithin('settlements', window);
    if (!renamed.ok) return renamed;
    const paid = await this.#paymentsOf({ canonicalIds: renamed.value, ...window });
    return paid.ok ? stored(presentList(this.#renames, joinSpans(found.value, paid.value))) : paid;
  }

  async #paymentsOf(scope: PaymentScope): Promise<StoreResult<readonly FundingPayment[]>> {
    return scope.canonicalIds.length === 0 ? stored([]) : this.fundingPayments(scope);
  }

  /** Present ids of the assets, of some or all, of which anything is stored under a former name in a window. */
  async #renamedWithin(
    table: StoredScope['table'],
    window: Window,
    some?: readonly string[],
  ): Promise<StoreResult<readonly string[]>> {
    const assets = formerNamesWithin(this.#renames, window).filter(
      ({ canonicalId }) => some?.includes(canonicalId) ?? true,
    );
    const ids = assets.flatMap((asset) => asset.ids);
    if (ids.length === 0) return stored([]);
    const found = await this.storedIds({ table, ids, from: window.from, to: window.to });
    if (!found.ok) return found;
    const known = new Set(found.value);
    return stored(
      assets.flatMap((asset) => (asset.ids.some((id) => known.has(id)) ? asset.canonicalId : [])),
    );
  }

  /** The eras of an asset; undefined where its own id is all of its past. */
  #eras(canonicalId: string): readonly Era[] | undefined {
    const eras = this.#renames.erasOf(canonicalId);
    const [only] = eras;
    return eras.length === 1 && only?.from === undefined ? undefined : eras;
  }

  #concernsRenamed({ canonicalIds }: PaymentScope): boolean {
    return canonicalIds.some((id) => this.#eras(id) !== undefined);
  }

  /** Asks for assets of one id together, and for each era of the others; all under the present ids. */
  async #everyAsset<Item extends Listing & { readonly canonicalId: string }>(
    scope: PaymentScope,
    read: (part: PaymentScope) => Promise<StoreResult<readonly Item[]>>,
  ): Promise<StoreResult<readonly Item[]>> {
    const plain = scope.canonicalIds.filter((id) => this.#eras(id) === undefined);
    const found = plain.length === 0 ? stored([]) : await read({ ...scope, canonicalIds: plain });
    if (!found.ok) return found;
    const items: Item[] = [...found.value];
    for (const canonicalId of scope.canonicalIds) {
      for (const era of this.#eras(canonicalId) ?? []) {
        const part = partOf(era, scope);
        if (part === undefined) continue;
        const asked = era.canonicalId === canonicalId ? scope : ofVenues(scope);
        const past = await read({ ...asked, ...part, canonicalIds: [era.canonicalId] });
        if (!past.ok) return past;
        for (const item of past.value) items.push(markedFormer(item, canonicalId, era.canonicalId));
      }
    }
    return stored(items);
  }
}
