import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FooterTally } from './footer-tally.ts';
import { readSegment, type SegmentReading } from './read-segment.ts';
import { type SegmentFooter, writeFooter } from './segment-format.ts';

/** A closed segment in the index. */
export interface IndexedSegment {
  readonly file: string;
  readonly sequence: number;
  readonly bytes: number;
  /** Hash of its footer, which the header of the next one names. */
  readonly hash: string;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly rawBytes: number;
  readonly reason: SegmentFooter['reason'];
  readonly venues: readonly string[];
  readonly gaps: number;
}

const INDEX = 'index.json';
const NAME = /^(\d{10})\.pmrec$/;

export const segmentFile = (sequence: number): string => `${String(sequence).padStart(10, '0')}.pmrec`;

/** Sequence numbers of the segments in a folder, oldest first. */
export async function sequencesIn(folder: string): Promise<readonly number[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  const found = names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
  return found.sort((a, b) => a - b);
}

/** The index as it was written; empty where there is none that can be read. */
export async function readIndex(folder: string): Promise<readonly IndexedSegment[]> {
  try {
    const index: { readonly segments: readonly IndexedSegment[] } = JSON.parse(
      await readFile(join(folder, INDEX), 'utf8'),
    );
    return index.segments;
  } catch {
    return [];
  }
}

export function indexed(
  sequence: number,
  { bytes, hash, footer }: { bytes: number; hash: Buffer; footer: SegmentFooter },
): IndexedSegment {
  const { from, to, records, rawBytes, reason, venues, gaps } = footer;
  return {
    file: segmentFile(sequence),
    sequence,
    bytes,
    hash: hash.toString('hex'),
    from,
    to,
    records,
    rawBytes,
    reason,
    venues: venues.map(([venue]) => venue).filter((venue) => venue !== ''),
    gaps: gaps.length,
  };
}

/** The closed segments of a folder. */
export class RecordingFolder {
  readonly path: string;
  #segments: readonly IndexedSegment[];

  private constructor(path: string, segments: readonly IndexedSegment[]) {
    this.path = path;
    this.#segments = segments;
  }

  /**
   * Opens it to be written to. Segments that the index lacks are read, and one that was left open is closed: its torn tail is cut
   * off, and its footer says so.
   *
   * @throws Error where the last segment cannot be read
   */
  static async open(path: string): Promise<RecordingFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const known = new Map((await readIndex(path)).map((segment) => [segment.sequence, segment]));
    const segments: IndexedSegment[] = [];
    const sequences = await sequencesIn(path);
    for (const sequence of sequences) {
      const file = join(path, segmentFile(sequence));
      const entry = known.get(sequence);
      const { size } = await stat(file);
      const isLast = sequence === sequences.at(-1);
      const segment = entry?.bytes === size ? entry : await entryOf(file, sequence, isLast);
      if (segment !== undefined) segments.push(segment);
    }
    const folder = new RecordingFolder(path, segments);
    await folder.#write();
    return folder;
  }

  get segments(): readonly IndexedSegment[] {
    return this.#segments;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async add(segment: IndexedSegment): Promise<void> {
    this.#segments = [...this.#segments, segment];
    await this.#write();
  }

  /** Removes the oldest segments that are older, or too much. @returns how many */
  async retain({ after, maxBytes }: { after: number; maxBytes: number }): Promise<number> {
    let bytes = this.bytes;
    let gone = 0;
    for (const segment of this.#segments) {
      if (segment.to >= after && bytes <= maxBytes) break;
      await rm(join(this.path, segment.file), { force: true });
      bytes -= segment.bytes;
      gone += 1;
    }
    if (gone === 0) return 0;
    this.#segments = this.#segments.slice(gone);
    await this.#write();
    return gone;
  }

  async #write(): Promise<void> {
    const file = join(this.path, INDEX);
    await writeFile(`${file}.new`, `${JSON.stringify({ format: 1, segments: this.#segments })}\n`);
    await rename(`${file}.new`, file);
  }
}

/**
 * The entry of a segment that the index lacks. The last one is closed where it has no footer, or removed where it has no header
 * either; another is left as it is, for `recordings verify` to name.
 */
async function entryOf(file: string, sequence: number, isLast: boolean): Promise<IndexedSegment | undefined> {
  const reading = await readSegment(file);
  const { footer, hash, end, header, fault } = reading;
  if (footer !== undefined && hash !== undefined) return indexed(sequence, { bytes: end, hash, footer });
  if (!isLast) return undefined;
  if (header === undefined || hash === undefined) {
    if (fault !== undefined) throw new Error(`${file}: ${fault}`);
    await rm(file);
    return undefined;
  }
  if (fault?.startsWith('it is packed') === true) throw new Error(`${file}: ${fault}`);
  return appendFooter(file, sequence, reading, hash);
}

async function appendFooter(
  file: string,
  sequence: number,
  { blocks, end, tornBytes }: SegmentReading,
  hash: Buffer,
): Promise<IndexedSegment> {
  const tally = new FooterTally();
  for (const block of blocks) tally.add(block);
  const footer = tally.footer('recovered', tornBytes);
  const written = writeFooter(footer, hash);
  await truncate(file, end);
  const handle = await open(file, 'a');
  try {
    await handle.appendFile(written.bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return indexed(sequence, { bytes: end + written.bytes.length, hash: written.hash, footer });
}
