import { join } from 'node:path';
import { readSegment, type SegmentReading } from './read-segment.ts';
import type { Gap } from './record.ts';
import { type IndexedSegment, readIndex, segmentFile, sequencesIn } from './recording-folder.ts';

/** One segment, as it was found. */
export interface VerifiedSegment {
  readonly file: string;
  /** `open`: the last one, which is being written or was left by a kill. */
  readonly state: 'whole' | 'open' | 'faulty';
  readonly faults: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
  readonly records: number;
  readonly bytes: number;
  readonly tornBytes: number;
  readonly disconnects: number;
  readonly gaps: readonly Gap[];
}

const isoOrNull = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();

/** Reads all segments of a folder, oldest first. */
export async function* verifyFolder(folder: string): AsyncGenerator<VerifiedSegment> {
  const index = new Map((await readIndex(folder)).map((segment) => [segment.sequence, segment]));
  const sequences = await sequencesIn(folder);
  const last = Math.max(0, ...sequences, ...index.keys());
  let before: { readonly sequence: number; readonly hash: string | undefined } | undefined;
  const all = [...new Set([...sequences, ...index.keys()])].sort((a, b) => a - b);
  for (const sequence of all) {
    const file = segmentFile(sequence);
    if (!sequences.includes(sequence)) {
      yield missing(file);
      continue;
    }
    const reading = await readSegment(join(folder, file));
    const faults = [
      ...ownFaults(reading, sequence, sequence === last),
      ...chainFaults(reading, sequence, before),
    ];
    faults.push(...indexFaults(reading, index.get(sequence)));
    before = { sequence, hash: reading.footer === undefined ? undefined : reading.hash?.toString('hex') };
    yield found(file, reading, faults);
  }
}

function ownFaults(
  { fault, footer, header }: SegmentReading,
  sequence: number,
  isLast: boolean,
): readonly string[] {
  const faults = fault === undefined ? [] : [fault];
  if (header !== undefined && header.sequence !== sequence)
    faults.push(`its header says that it is number ${header.sequence}`);
  if (fault === undefined && footer === undefined && !isLast)
    faults.push('it has no footer: its end is missing');
  return faults;
}

function chainFaults(
  { header }: SegmentReading,
  sequence: number,
  before: { readonly sequence: number; readonly hash: string | undefined } | undefined,
): readonly string[] {
  if (before === undefined || header === undefined) return [];
  if (before.sequence !== sequence - 1)
    return [`segments ${before.sequence + 1} to ${sequence - 1} are missing`];
  return header.previous === before.hash ? [] : ['it does not follow the segment before it'];
}

function indexFaults({ footer, hash }: SegmentReading, entry: IndexedSegment | undefined): readonly string[] {
  if (entry === undefined) return [];
  if (footer === undefined) return ['the index has it as closed, and its end is missing'];
  return hash?.toString('hex') === entry.hash ? [] : ['it is not the one that the index has'];
}

const missing = (file: string): VerifiedSegment => ({
  file,
  state: 'faulty',
  faults: ['the index has it, and it is not there'],
  from: null,
  to: null,
  records: 0,
  bytes: 0,
  tornBytes: 0,
  disconnects: 0,
  gaps: [],
});

function found(file: string, reading: SegmentReading, faults: readonly string[]): VerifiedSegment {
  const { blocks, footer, end, tornBytes } = reading;
  const summaries = blocks.map(({ summary }) => summary);
  const state = footer === undefined ? 'open' : 'whole';
  return {
    file,
    state: faults.length > 0 ? 'faulty' : state,
    faults,
    from: isoOrNull(summaries[0]?.from),
    to: isoOrNull(summaries.at(-1)?.to),
    records: summaries.reduce((sum, { records }) => sum + records, 0),
    bytes: end + tornBytes,
    tornBytes: tornBytes + (footer?.cutBytes ?? 0),
    disconnects: summaries.reduce((sum, { disconnects }) => sum + disconnects, 0),
    gaps: summaries.flatMap(({ gaps }) => gaps),
  };
}
