import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { IdentityRecord, IdentityStore } from './stores.ts';

/** A contract that is back within this time was missing from a list, not delisted. */
export const RELISTING_GAP_MS = 24 * 3_600_000;

/** Who each contract has been, range by range. Changes are written by `commit`. */
export class IdentityRanges {
  private readonly venues = new Map<VenueId, Map<string, IdentityRecord[]>>();
  private readonly unsaved = new Set<IdentityRecord>();
  private readonly store: IdentityStore;

  constructor(store: IdentityStore) {
    this.store = store;
    for (const record of [...store.load()].sort((a, b) => a.validFrom - b.validFrom)) this.append(record);
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
  standing(venue: VenueId, symbol: string, at: UnixMs): IdentityRecord | undefined {
    const last = this.of(venue, symbol).at(-1);
    if (last === undefined) return undefined;
    return last.validTo === undefined || at - last.validTo < RELISTING_GAP_MS ? last : undefined;
  }

  /** Begins a range, which ends the one before. */
  begin(record: IdentityRecord): void {
    const last = this.of(record.venue, record.symbol).at(-1);
    // Two ranges of one contract never begin at the same time: that is their key.
    const validFrom = Math.max(record.validFrom, (last?.validFrom ?? 0) + 1);
    if (last !== undefined && last.validTo === undefined)
      this.replace(last, { ...last, validTo: asMs(validFrom) });
    const begun = { ...record, validFrom: asMs(validFrom) };
    this.append(begun);
    this.unsaved.add(begun);
  }

  /** Puts a changed record in the place of the last one of its contract. */
  replace(last: IdentityRecord, record: IdentityRecord): void {
    const list = this.venues.get(last.venue)?.get(last.symbol);
    if (list?.at(-1) !== last) return;
    list[list.length - 1] = record;
    this.unsaved.delete(last);
    this.unsaved.add(record);
  }

  /** Ends the open ranges of a venue's contracts that are not listed. */
  endUnlisted(venue: VenueId, listed: ReadonlySet<string>, at: UnixMs): void {
    for (const [symbol, list] of this.venues.get(venue) ?? []) {
      const last = list.at(-1);
      if (last === undefined || last.validTo !== undefined || listed.has(symbol)) continue;
      this.replace(last, { ...last, validTo: at });
    }
  }

  commit(): void {
    if (this.unsaved.size === 0) return;
    this.store.save([...this.unsaved]);
    this.unsaved.clear();
  }

  private append(record: IdentityRecord): void {
    const venue = this.venues.get(record.venue) ?? new Map<string, IdentityRecord[]>();
    this.venues.set(record.venue, venue);
    const list = venue.get(record.symbol);
    if (list === undefined) venue.set(record.symbol, [record]);
    else list.push(record);
  }
}
