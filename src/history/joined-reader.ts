import type {
  Baseline,
  FundingPayment,
  HistoricalValue,
  KnownRange,
  SeriesBucket,
  SettledBucket,
  SettledMean,
  SettledSpans,
} from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { createRenames, type Era, partOf, type Renames } from '../market/registry/renames.ts';
import type { MarketRow } from '../market/view.ts';
import type { HourParts } from './hourly-sql.ts';
import {
  bucketIn,
  joinBuckets,
  joinPayments,
  joinSettled,
  joinSettledMeans,
  rowIn,
  settledIn,
  valueIn,
} from './join-series.ts';
import type { PaymentScope } from './queries/funding-payments.ts';
import type { HistoricalRowsScope, KnownOfRow } from './queries/historical-rows.ts';
import type { Known } from './queries/known-range.ts';
import type { MomentScope, Scope } from './queries/scope.ts';
import { type Baselines, HistoryReader, type KnownScope, type ReaderOptions } from './reader.ts';
import { type StoreResult, stored } from './store.ts';

interface Window {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/**
 * The history under the present names of assets: what is stored under a former id is a part of the past of the
 * asset, in its
 * present unit, and what another asset left under its name is not. Nothing stored is changed by that.
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
    const read = (part: Scope) => super.buckets(part, parts, stepMs);
    const found = await everyEra(eras, scope, read, bucketIn);
    return found.ok ? stored(joinBuckets(withoutOlderUnits(scope.canonicalId, found.value))) : found;
  }

  override async settled(scope: Scope, stepMs: number): Promise<StoreResult<readonly SettledBucket[]>> {
    const eras = this.#eras(scope.canonicalId);
    if (eras === undefined) return super.settled(scope, stepMs);
    const found = await everyEra(eras, scope, (part: Scope) => super.settled(part, stepMs), settledIn);
    return found.ok ? stored(joinSettled(withoutOlderUnits(scope.canonicalId, found.value))) : found;
  }

  override async fundingPayments(scope: PaymentScope): Promise<StoreResult<readonly FundingPayment[]>> {
    if (!this.#concernsRenamed(scope)) return super.fundingPayments(scope);
    const read = (part: PaymentScope) => super.fundingPayments(part);
    const found = await this.#everyAsset(scope, read, markedFormer);
    return found.ok ? stored(joinPayments(found.value)) : found;
  }

  override async settledMeans(
    scope: PaymentScope,
    stepMs: number,
  ): Promise<StoreResult<readonly SettledMean[]>> {
    if (!this.#concernsRenamed(scope)) return super.settledMeans(scope, stepMs);
    const read = (part: PaymentScope) => super.settledMeans(part, stepMs);
    const found = await this.#everyAsset(scope, read, (mean, { canonicalId }) => ({ ...mean, canonicalId }));
    return found.ok ? stored(joinSettledMeans(found.value)) : found;
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
    if (!found.ok) return found;
    const values = found.value.map(({ era, value }) =>
      era.canonicalId === scope.canonicalId ? value : { ...value, formerId: era.canonicalId },
    );
    return stored([...values].sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at)));
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
      return found.ok ? stored(this.#presentRows(found.value, asOf)) : found;
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
    for (const { canonicalId, from, to } of eras) {
      const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const found = await super.knownRange({ ...scope, ...span, canonicalId }, known);
      if (!found.ok) return found;
      range = widest(range, found.value);
    }
    return stored(range);
  }

  override async baselines(asOf?: UnixMs): Promise<StoreResult<Baselines>> {
    const found = await super.baselines(asOf);
    if (!found.ok) return found;
    const { list, ...window } = found.value;
    const most = (a: Baseline, b: Baseline): Baseline => (a.hours >= b.hours ? a : b);
    return stored({ list: this.#presentList(list, most), ...window });
  }

  override async settledSpans(): Promise<StoreResult<readonly SettledSpans[]>> {
    const found = await super.settledSpans();
    return found.ok ? stored(this.#presentList(found.value, newest)) : found;
  }

  override lastSettledSpans(): readonly SettledSpans[] | undefined {
    const known = super.lastSettledSpans();
    return known && this.#presentList(known, newest);
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

  /**
   * Rows of a moment under present names, one of an asset on a venue. Rows that have another asset's id now are
   * left out.
   */
  #presentRows(rows: readonly MarketRow[], at: UnixMs): readonly MarketRow[] {
    const moment = { from: at, to: asMs(at + 1) };
    const chosen = new Map<string, MarketRow>();
    for (const row of rows) {
      const present = this.#renames.presentOf(row.canonicalId, at);
      const own = this.#renames.erasOf(row.canonicalId).at(-1);
      if (present === undefined && own?.canonicalId === row.canonicalId) {
        const isAnother = partOf({ from: own.from, to: undefined }, moment) === undefined;
        if (isAnother && !this.#isUnitAlone(row.canonicalId)) continue;
      }
      const named = present === undefined ? row : { ...row, ...present };
      const key = `${named.canonicalId}\t${named.venue}`;
      const held = chosen.get(key);
      if (held === undefined || (named.volume24hUsd ?? 0) > (held.volume24hUsd ?? 0)) chosen.set(key, named);
    }
    return [...chosen.values()];
  }

  /** True where an id only changed its unit, and was the same asset before. */
  #isUnitAlone(canonicalId: string): boolean {
    return this.#renames.list.some(({ from, to }) => from === canonicalId && to === canonicalId);
  }

  /** Items of contracts under the present names of their assets; of the two that a renamed contract has, one is chosen. */
  #presentList<
    Kept extends { readonly canonicalId: string; readonly venue: string; readonly symbol: string },
  >(list: readonly Kept[], choose: (a: Kept, b: Kept) => Kept): readonly Kept[] {
    const isOld = ({ canonicalId }: Kept): boolean => this.#renames.presentOf(canonicalId) !== undefined;
    if (!list.some(isOld)) return list;
    const chosen = new Map<string, Kept>();
    for (const kept of list) {
      const canonicalId = this.#renames.presentOf(kept.canonicalId)?.canonicalId ?? kept.canonicalId;
      const named = { ...kept, canonicalId };
      const key = `${canonicalId}\t${kept.venue}\t${kept.symbol}`;
      const held = chosen.get(key);
      chosen.set(key, held === undefined ? named : choose(held, named));
    }
    return [...chosen.values()];
  }

  /** Asks for assets of one id together, and for each era of the others; all under the present ids. */
  async #everyAsset<Item extends { readonly canonicalId: string }>(
    scope: PaymentScope,
    read: (part: PaymentScope) => Promise<StoreResult<readonly Item[]>>,
    present: (item: Item, names: Names) => Item,
  ): Promise<StoreResult<readonly Item[]>> {
    const plain = scope.canonicalIds.filter((id) => this.#eras(id) === undefined);
    const found = plain.length === 0 ? stored([]) : await read({ ...scope, canonicalIds: plain });
    if (!found.ok) return found;
    const items: Item[] = [...found.value];
    for (const canonicalId of scope.canonicalIds) {
      for (const era of this.#eras(canonicalId) ?? []) {
        const part = partOf(era, scope);
        if (part === undefined) continue;
        const past = await read({ ...scope, ...part, canonicalIds: [era.canonicalId] });
        if (!past.ok) return past;
        const names = { canonicalId, storedId: era.canonicalId };
        for (const item of past.value) items.push(present(item, names));
      }
    }
    return stored(items);
  }
}

/** The present id of an asset, and the one under which something of it is stored. */
interface Names {
  readonly canonicalId: string;
  readonly storedId: string;
}

/** A payment under the present id, which says where it was stored under another. */
const markedFormer = (payment: FundingPayment, { canonicalId, storedId }: Names): FundingPayment =>
  storedId === canonicalId ? payment : { ...payment, canonicalId, formerId: storedId };

const widest = (a: KnownRange | undefined, b: KnownRange | undefined): KnownRange | undefined =>
  a === undefined || b === undefined
    ? (a ?? b)
    : { from: asMs(Math.min(a.from, b.from)), to: asMs(Math.max(a.to, b.to)) };

const newest = (a: SettledSpans, b: SettledSpans): SettledSpans => (a.lastAt >= b.lastAt ? a : b);

interface OfEra<Item> {
  readonly value: Item;
  readonly era: Era;
}

/** Asks for the part of a window that lies in each era, under the id of then; values in the present unit. */
async function everyEra<Asked extends Window & { readonly canonicalId: string }, Item>(
  eras: readonly Era[],
  scope: Asked,
  read: (part: Asked) => Promise<StoreResult<readonly Item[]>>,
  present: (factor: number, item: Item) => Item,
): Promise<StoreResult<readonly OfEra<Item>[]>> {
  const found = await Promise.all(
    eras.flatMap((era) => {
      const part = partOf(era, scope);
      if (part === undefined) return [];
      const asked = { ...scope, ...part, canonicalId: era.canonicalId };
      return [read(asked).then((result) => ({ era, result }))];
    }),
  );
  const list: OfEra<Item>[] = [];
  for (const { era, result } of found) {
    if (!result.ok) return result;
    for (const item of result.value) list.push({ era, value: present(era.factor, item) });
  }
  return stored(list);
}

/**
 * Where a venue lists both units side by side, the present one stands. In one unit both contracts are the asset:
 * `formerId`
 * marks what was stored under a former id for the one place that chooses between them.
 */
function withoutOlderUnits<Bucket extends { readonly venue: string; readonly start: number }>(
  canonicalId: string,
  list: readonly OfEra<Bucket>[],
): readonly Bucket[] {
  const keyOf = ({ venue, start }: Bucket): string => `${venue}\t${start}`;
  const present = new Set(list.filter(({ era }) => era.factor === 1).map(({ value }) => keyOf(value)));
  return list
    .filter(({ era, value }) => era.factor === 1 || !present.has(keyOf(value)))
    .map(({ era, value }) =>
      era.canonicalId === canonicalId ? value : { ...value, formerId: era.canonicalId },
    );
}
