import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Codec } from './codec.ts';
import { codecIn, unpackBlock } from './read-segment.ts';
import { OWN_LINE, type WireRecord } from './record.ts';
import { RecordRange, type RecordsQuery } from './record-range.ts';
import { type IndexedSegment, readIndex, segmentFile, sequencesIn } from './recording-folder.ts';
import type { IndexedBlock, SegmentFooter } from './segment-format.ts';
import { type PackedBlock, SegmentWalk } from './segment-walk.ts';

/** Blocks that are held against the chain before the event loop has its turn. */
const BLOCKS_A_TURN = 16;

/** A recording has no whole answer: a segment is damaged, or missing in the midst. */
export class RecordingFault extends Error {
  override readonly name = 'RecordingFault';
}

/** A segment's place in its folder, and its times where it is closed and in the index. */
interface Place {
  readonly sequence: number;
  readonly entry: IndexedSegment | undefined;
}

/**
 * The records of a folder, in the order in which they were received, `opened` and `disconnect` among them. The wall clock goes back
 * where it was set, after a record `clock`. A `gap` that reaches into the time is among them although its record is later. The last
 * segment may be open: it is read as far as it is whole. Segments and blocks without anything that is asked for are not unpacked.
 *
 * @throws RecordingFault where what was asked for is damaged or missing, behind the records before that
 */
export async function* records(folder: string, query: RecordsQuery = {}): AsyncGenerator<WireRecord> {
  const range = new RecordRange(query);
  let before: Place | undefined;
  for (const place of await placesIn(folder)) {
    const previous = before;
    before = place;
    if (isHoleAsked(previous, place, range))
      throw new RecordingFault(`segments before ${segmentFile(place.sequence)} are missing`);
    if (!isAsked(place, previous, range)) continue;
    const file = await fileOf(folder, place.sequence);
    if (file !== undefined) yield* recordsOf(file, place, range);
  }
}

async function placesIn(folder: string): Promise<readonly Place[]> {
  const index = new Map((await readIndex(folder)).map((entry) => [entry.sequence, entry]));
  const all = [...new Set([...(await sequencesIn(folder)), ...index.keys()])].sort((a, b) => a - b);
  return all.map((sequence) => ({ sequence, entry: index.get(sequence) }));
}

/** A hole is of segments that neither the folder nor its index has. */
function isHoleAsked(previous: Place | undefined, place: Place, range: RecordRange): boolean {
  if (previous === undefined || previous.sequence === place.sequence - 1) return false;
  if (previous.entry === undefined || place.entry === undefined) return true;
  const ends = [previous.entry.to, place.entry.from];
  return range.reaches(Math.min(...ends), Math.max(...ends));
}

/** A segment behind the time is asked for its gaps: they can only reach back to the last record before them. */
function isAsked({ entry }: Place, previous: Place | undefined, range: RecordRange): boolean {
  if (entry === undefined) return true;
  const isStepped = previous?.entry?.reason === 'clock';
  if (range.reaches(entry.from, entry.to))
    return entry.gaps > 0 || isStepped || entry.venues.some((venue) => range.hasVenue(venue));
  return entry.gaps > 0 && range.isOver(entry.from) && mayGoOn(previous, range);
}

/** True if the time may go on behind a segment. */
const mayGoOn = (previous: Place | undefined, range: RecordRange): boolean =>
  previous?.entry === undefined || previous.entry.reason === 'clock' || !range.isOver(previous.entry.to);

/** The file's bytes; undefined where retention has removed it, and all before it, since they were listed. */
async function fileOf(folder: string, sequence: number): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, segmentFile(sequence)));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    const isOldest = (await sequencesIn(folder)).every((other) => other > sequence);
    if (isOldest) return undefined;
    throw new RecordingFault(`${segmentFile(sequence)} is missing`);
  }
}

async function* recordsOf(file: Buffer, { sequence }: Place, range: RecordRange): AsyncGenerator<WireRecord> {
  const walk = new SegmentWalk(file);
  const blocks = await allBlocks(walk);
  const fail = (fault: string): never => {
    throw new RecordingFault(`${segmentFile(sequence)}: ${fault}`);
  };
  const codec = walk.header === undefined ? undefined : codecIn(walk.header);
  if (walk.header !== undefined && walk.header.sequence !== sequence)
    fail(`its header says that it is number ${walk.header.sequence}`);
  if (typeof codec === 'string') fail(codec);
  else if (codec !== undefined) yield* unpacked(blocksIn(blocks, walk.footer, range), codec, range, fail);
  if (walk.fault !== undefined) fail(walk.fault);
}

async function allBlocks(walk: SegmentWalk): Promise<readonly PackedBlock[]> {
  const blocks: PackedBlock[] = [];
  for (const block of walk.blocks()) {
    blocks.push(block);
    if (blocks.length % BLOCKS_A_TURN === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return blocks;
}

/** Without a footer nothing is known of a block before it is unpacked. */
function blocksIn(
  blocks: readonly PackedBlock[],
  footer: SegmentFooter | undefined,
  range: RecordRange,
): readonly PackedBlock[] {
  if (footer === undefined) return blocks;
  const venues = footer.venues.map(([venue]) => venue);
  const index = new Map(footer.blocks.map((block) => [block[0], block]));
  return blocks.filter(({ offset }) => {
    const block = index.get(offset);
    return block === undefined || isBlockAsked(block, venues, range);
  });
}

function isBlockAsked(
  [, from, to, places]: IndexedBlock,
  venues: readonly string[],
  range: RecordRange,
): boolean {
  const inside = places.map((place) => venues[place] ?? '');
  if (inside.includes(OWN_LINE.venue)) return true;
  return range.reaches(from, to) && inside.some((venue) => range.hasVenue(venue));
}

async function* unpacked(
  blocks: readonly PackedBlock[],
  codec: Codec,
  range: RecordRange,
  fail: (fault: string) => never,
): AsyncGenerator<WireRecord> {
  for (const block of blocks) {
    const found = await unpackBlock(codec, block);
    if (typeof found === 'string') fail(found);
    else for (const record of found) if (range.has(record)) yield record;
  }
}
