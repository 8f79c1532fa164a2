import type { Outcome } from '../../../collect/transport-failure.ts';
import type { Answer } from '../../../collect/venue-caller.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { VenueAdapter, VenueRequest } from '../../../venues/adapter.ts';
import type { CcxtCall } from '../../../venues/ccxt/profile.ts';

/** A contract as ccxt lists it. */
export interface SecondMarket {
  /** Names that the venue may have for it: ccxt's `id` is its number at some, or written otherwise. */
  readonly names: readonly string[];
  /** ccxt's own symbol. */
  readonly symbol: string;
  readonly contractSize: number | undefined;
}

/** A venue as ccxt reads it. */
export interface SecondVenue {
  /** ccxt's list of the linear swaps. Requests may fail: then it is to be asked for again. */
  load(): Promise<Outcome<readonly SecondMarket[]>>;
  /** One unified call, about one contract (by ccxt's symbol) or all. */
  ask(call: CcxtCall, symbol?: string): Promise<Outcome<Answer>>;
}

/** A request of ccxt's as one of the venue's, within its budget. */
export type SecondSend = (request: VenueRequest) => Promise<Outcome<Answer>>;

/** Opens what ccxt has of a venue; undefined where ccxt is not installed, does not read it, or adds nothing. */
export type OpenSecondVenue = (adapter: VenueAdapter, send: SecondSend) => Promise<SecondVenue | undefined>;

/** Our contracts as ccxt knows them: by its symbols, and with the contract size that it reads. */
export function knownTo(
  markets: readonly SecondMarket[],
  instruments: ReadonlyMap<string, Instrument>,
): ReadonlyMap<string, Instrument> {
  const found = new Map<string, Instrument>();
  for (const { names, symbol, contractSize } of markets) {
    const instrument = names.flatMap((name) => instruments.get(name) ?? [])[0];
    if (instrument === undefined) continue;
    const size = contractSize ?? instrument.contractSize;
    found.set(instrument.symbol, { ...instrument, altId: symbol, contractSize: size });
  }
  return found;
}
