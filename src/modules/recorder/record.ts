import type { WireLine } from '../../collect/wire.ts';

/** Types of records; the number is the place in this list. */
export const RECORD_TYPES = ['text', 'binary', 'opened', 'disconnect', 'answer', 'gap', 'clock'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** One record of a segment, in the order of monotonic time. */
export interface WireRecord {
  readonly type: RecordType;
  readonly line: WireLine;
  /** Number of the stream's connection; 0 for what has none. */
  readonly connection: number;
  /** Wall clock at receipt, Unix ms. */
  readonly wall: number;
  /** Monotonic time at receipt since the start of the process that recorded it, ms with microseconds. */
  readonly mono: number;
  readonly payload: Buffer;
  /** True where an address or a key was masked in it. */
  readonly masked: boolean;
}

/** A span that is missing: of the recorder, or of one connection. */
export interface Gap {
  readonly reason: string;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly bytes: number;
}

/** The span of a record of the type `gap`. */
export const gapOf = ({ payload }: WireRecord): Gap => JSON.parse(payload.toString()) as Gap;

/** The line of what the recorder says of itself. */
export const OWN_LINE: WireLine = { venue: '', kind: 'history', stream: 'recorder' };

/** The content of a block without its payloads. */
export interface BlockSummary {
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly rawBytes: number;
  readonly venues: ReadonlyMap<string, number>;
  readonly gaps: readonly Gap[];
  readonly disconnects: number;
}
