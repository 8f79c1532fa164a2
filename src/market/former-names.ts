import type { Clock } from '../domain/clock.ts';
import type { VenueId } from '../domain/venue.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import type { InstrumentIdentities } from './identity.ts';
import { type NamedListing, NameIndex, VenueNames } from './name-index.ts';
import { type ResolveOptions, resolveName } from './resolve.ts';
import type { Resolution } from './view.ts';

type Identities = Pick<InstrumentIdentities, 'latest' | 'recordsOf' | 'aliasesOf' | 'renames'>;

/** So long names stand before contracts are looked through again: there are thousands. */
const STANDS_MS = MINUTE_MS;

/** Names of what contracts are no more, since they are not listed or are another asset: it can still be asked for what is stored. */
export class FormerNames {
  readonly #identity: Identities;
  readonly #clock: Clock;
  #venues: ReadonlyMap<VenueId, VenueNames> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(identity: Identities, clock: Clock) {
    this.#identity = identity;
    this.#clock = clock;
  }

  /** As `resolveName`; with a venue only what that venue has listed. */
  resolve(name: string, options: ResolveOptions = {}): Resolution {
    const { venue } = options;
    const venues = this.#current();
    if (venue === undefined) return this.#find(venues, name, options);
    const names = venues.get(venue);
    if (names === undefined) return { kind: 'unknown' };
    return this.#find(new Map([[venue, names]]), name, options);
  }

  #find(venues: ReadonlyMap<VenueId, VenueNames>, name: string, options: ResolveOptions): Resolution {
    return resolveName(new NameIndex(venues), name, options, this.#identity.renames.leadOf);
  }

  #current(): ReadonlyMap<VenueId, VenueNames> {
    const now = this.#clock.now();
    if (Math.abs(now - this.#readAt) < STANDS_MS) return this.#venues;
    this.#readAt = now;
    const listings = new Map<VenueId, NamedListing[]>();
    // A symbol that is listed now may have been another asset's before.
    const all = this.#identity.latest().flatMap((last) => this.#identity.recordsOf(last.venue, last.symbol));
    for (const { venue, symbol, canonicalId: kept, ticker, assetClass, validFrom, validTo } of all) {
      if (validTo === undefined) continue;
      const ofVenue = listings.get(venue) ?? [];
      listings.set(venue, ofVenue);
      const present = this.#identity.renames.presentOf(kept, validFrom) ?? { canonicalId: kept, ticker };
      const names = [ticker, ...this.#identity.aliasesOf(present.canonicalId)];
      // The former quote currency of a contract is not kept: its own symbol names it.
      const contracts = [{ symbol, base: ticker, ticker, quote: '', settle: '' }];
      ofVenue.push({ ...present, assetClass, names, contracts });
    }
    this.#venues = new Map([...listings].map(([venue, list]) => [venue, new VenueNames(list)]));
    return this.#venues;
  }
}
