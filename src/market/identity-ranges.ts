import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS } from '../runtime/duration.ts';
import type { IdentityRecord, IdentityStore, RangeChange } from './stores.ts';

/** A contract that is back within this time was missing from a list, not delisted. */
export const RELISTING_GAP_MS = DAY_MS;

type Contract = Pick<IdentityRecord, 'venue' | 'symbol'>;

/**
 * The identities of each contract, range by range. A decision holds at once and is written by `commit`; where
 * hosts share the store it is only requested then, and holds once the store confirms it.
 */
export class IdentityRanges {
  private readonly venues = new Map<VenueId, Map<string, IdentityRecord[]>>();
  private readonly unsaved = new Map<string, RangeChange>();
  private readonly store: IdentityStore;

  constructor(store: IdentityStore) {
    this.store = store;
    for (const record of [...store.load()].sort((a, b) => a.validFrom - b.validFrom))
      this.listOf(record).push(record);
  }

  get isShared(): boolean {
    return this.store.shared !== undefined;
  }

  /** All ranges of a contract, oldest first. */
  of(venue: VenueId, symbol: string): readonly IdentityRecord[] {
    return this.venues.get(venue)?.get(symbol) ?? [];
  }

  /** The last range of every contract. */
  latest(): IdentityRecord[] {
    return [...this.venues.values()].flatMap((venue) =>
      [...venue.values()].flatMap((list) => list.at(-1) ?? []),
    );
  }

  /** The range that holds at `at`, or ended so shortly before that it may go on. */
  rangeAt(venue: VenueId, symbol: string, at: UnixMs): IdentityRecord | undefined {
    const last = this.of(venue, symbol).at(-1);
    if (last === undefined) return undefined;
    return last.validTo === undefined || at - last.validTo < RELISTING_GAP_MS ? last : undefined;
  }

  /** Begins a range, which ends the one before. */
  begin(record: IdentityRecord): void {
    const last = this.of(record.venue, record.symbol).at(-1);
    // Two ranges of one contract never begin at the same time: that is their key.
    const validFrom = asMs(Math.max(record.validFrom, (last?.validFrom ?? 0) + 1));
    const ended = last && (last.validTo === undefined ? { ...last, validTo: validFrom } : last);
    this.change(record, [...(ended === undefined ? [] : [ended]), { ...record, validFrom }]);
  }

  /** Puts a changed record in the place of the last one of its contract. */
  replace(last: IdentityRecord, record: IdentityRecord): void {
    if (this.of(last.venue, last.symbol).at(-1) === last) this.change(last, [record]);
  }

  /** Ends the open ranges of a venue's contracts that are not listed. */
  endUnlisted(venue: VenueId, listed: ReadonlySet<string>, at: UnixMs): void {
    if (this.store.shared?.ends === false) return;
    for (const [symbol, list] of this.venues.get(venue) ?? []) {
      const last = list.at(-1);
      if (last === undefined || last.validTo !== undefined || listed.has(symbol)) continue;
      this.replace(last, { ...last, validTo: at });
    }
  }

  /** @param isExact as of `IdentityStore.save` */
  commit(isExact = false): void {
    if (this.unsaved.size === 0) return;
    this.store.save([...this.unsaved.values()], isExact);
    this.unsaved.clear();
  }

  /** Takes over what a shared store tells; the contracts it is about, undefined where nothing was heard. */
  follow(): readonly Contract[] | undefined {
    const news = this.store.shared?.news();
    return news?.flatMap((ranges) => {
      const [first] = ranges;
      if (first === undefined) return [];
      const list = this.listOf(first);
      list.splice(0, list.length, ...ranges);
      return [first];
    });
  }

  /** @param after what is in the place of the contract's last range, and after it */
  private change({ venue, symbol }: Contract, after: readonly IdentityRecord[]): void {
    const list = this.listOf({ venue, symbol });
    const key = `${venue}\n${symbol}`;
    const count = list.length;
    const base = (!this.isShared && this.unsaved.get(key)) || { venue, symbol, count, before: list.at(-1) };
    if (this.isShared) {
      this.unsaved.set(key, { ...base, after });
      return;
    }
    list.splice(Math.max(0, count - 1), 1, ...after);
    this.unsaved.set(key, { ...base, after: list.slice(Math.max(0, base.count - 1)) });
  }

  private listOf({ venue, symbol }: Contract): IdentityRecord[] {
    const contracts = this.venues.get(venue) ?? new Map<string, IdentityRecord[]>();
    this.venues.set(venue, contracts);
    const list = contracts.get(symbol) ?? [];
    contracts.set(symbol, list);
    return list;
  }
}
