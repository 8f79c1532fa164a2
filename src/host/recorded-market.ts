import type { UnixMs } from '../domain/units.ts';
import type { VenueCall, VenueRequest } from '../venues/call.ts';

/** A record of what a payload holds, with its `type` and the names of the answers. */
export type DecodedRecord = Readonly<Record<string, unknown>>;

/** The facts that are known beside recorded payloads. */
export interface RecordingContext {
  /** Recorded lists of contracts or markets. */
  readonly lists: readonly unknown[];
  readonly request: VenueRequest;
  readonly receivedAt?: UnixMs;
}

/** A call whose recorded payloads can be read. */
export interface RecordedCall extends Pick<VenueCall, 'name' | 'path' | 'alsoAt' | 'answers' | 'frames'> {
  /** Decodes payloads in their order. */
  readonly records: (payloads: readonly unknown[], context: RecordingContext) => Iterable<DecodedRecord>;
}

/** A kind of market of which `perpmeter decode --market` reads recorded payloads. */
export interface RecordedMarket {
  readonly venues: readonly string[];
  /** Types of its records. */
  readonly types: readonly string[];
  /** Parses JSON where numbers need more than `JSON.parse` keeps; throws as that does. */
  readonly parse?: (text: string) => unknown;
  /** The calls of a venue; undefined where the venue is not read. */
  readonly callsOf: (venue: string) => readonly RecordedCall[] | undefined;
}

/** Kinds of markets that modules read besides perpetuals, each behind what loads it, by name. */
export type RecordedMarkets = ReadonlyMap<string, () => Promise<RecordedMarket>>;
