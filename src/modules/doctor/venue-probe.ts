import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import type { VenueAdapter, VenueRequest } from '../../venues/adapter.ts';
import type { ReadKeys } from './read-keys.ts';

export type CallKind = 'instruments' | 'quotes' | 'stream' | 'books' | 'past' | 'discovery';

/** A server's clock against ours, from one answer. */
export interface DateSeen {
  /** The server's clock minus ours, ms. */
  readonly offsetMs: number;
  /** Half of what it may be off by: the header's whole second, and the time on the way. */
  readonly doubtMs: number;
}

/** A failed payload, for a bug report: shortened and redacted. */
export interface Sample {
  readonly request: VenueRequest | undefined;
  readonly status: number | undefined;
  readonly text: string;
  readonly hasFault: boolean;
}

/** All that was seen of one call or stream of a venue. */
export interface CallRecord {
  readonly name: string;
  readonly kind: CallKind;
  /** True if the venue's stamps on these rows are whole minutes. */
  readonly isCoarse: boolean;
  asked: number;
  answered: number;
  /** Rows read. */
  rows: number;
  /** Reasons for failed requests or connections, each once. */
  readonly failures: Set<string>;
  /** Rows that could not be read, by reason and field. */
  readonly faults: Map<string, number>;
  /** Faults of whole payloads. */
  readonly bodyFaults: Set<string>;
  /** Out-of-scope rows, by reason. */
  readonly outOfScope: Map<string, number>;
  readonly keys: ReadKeys;
  readonly dates: DateSeen[];
  /** Newest stamp of the venue, and when it was received. */
  newest: { readonly stamp: number; readonly receivedAt: number } | undefined;
  /** Quotes of the first and the second time. */
  readonly rounds: readonly [Map<string, QuotePatch>, Map<string, QuotePatch>];
  sample: Sample | undefined;
}

/** All that was received from one venue. */
export interface VenueProbe {
  readonly adapter: VenueAdapter;
  readonly bases: Readonly<Record<string, string>>;
  readonly calls: Map<string, CallRecord>;
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** Quotes of polls and streams together, first time and second. */
  readonly rounds: readonly [Map<string, QuotePatch>, Map<string, QuotePatch>];
  /** Time between the two, ms; undefined without a second one. */
  gapMs: number | undefined;
  /** Everything was asked. */
  isComplete: boolean;
}

/** Writes a patch over what is known of its contract, field by field. */
export function mergeQuote(into: Map<string, QuotePatch>, patch: QuotePatch): void {
  into.set(patch.symbol, { ...into.get(patch.symbol), ...patch });
}
