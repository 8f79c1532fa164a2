import type { WireKind, WireLine } from '../../collect/wire.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import {
  type BlockSummary,
  type Gap,
  gapOf,
  RECORD_TYPES,
  type RecordType,
  type WireRecord,
} from './record.ts';

/** The head of a block: clocks at its first record, and the lines that its records name by place. */
interface BlockHead {
  readonly wall: number;
  readonly mono: number;
  readonly count: number;
  readonly lines: readonly (readonly [venue: string, kind: WireKind, stream: string])[];
}

/** Columns of a block, in their order: the payloads follow, those of one line together. */
const COLUMNS = ['type', 'line', 'connection', 'mono', 'wall', 'length'] as const;
type Column = (typeof COLUMNS)[number];

const MICRO = 1000;

/** The wall clock that the monotonic time implies, in a block whose first record has these clocks. */
const impliedWall = (wall: number, micros: number): number => wall + Math.floor(micros / MICRO);

/** Collects records of one block. Columns and grouped payloads pack far better than records one behind another. */
export class BlockBuilder {
  readonly #columns: Readonly<Record<Column, ByteWriter>> = {
    type: new ByteWriter(),
    line: new ByteWriter(),
    connection: new ByteWriter(),
    mono: new ByteWriter(),
    wall: new ByteWriter(),
    length: new ByteWriter(),
  };
  readonly #payloads = new ByteWriter();
  #lengths: number[] = [];
  #lineOf: number[] = [];
  #lines = new Map<string, { readonly place: number; readonly line: WireLine; records: number }>();
  #gaps: Gap[] = [];
  #disconnects = 0;
  #first: { readonly wall: number; readonly mono: number } | undefined;
  #micros = 0;
  #lastWall = 0;

  get bytes(): number {
    return this.#payloads.length;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(record: WireRecord, gap?: Gap): void {
    const { type, line, connection, wall, mono, payload, masked } = record;
    this.#first ??= { wall, mono };
    const micros = Math.max(this.#micros, Math.round((mono - this.#first.mono) * MICRO));
    const place = this.#placeOf(line);
    const columns = this.#columns;
    columns.type.varint(RECORD_TYPES.indexOf(type) * 2 + (masked ? 1 : 0));
    columns.line.varint(place);
    columns.connection.varint(connection);
    columns.mono.varint(micros - this.#micros);
    columns.wall.signed(wall - impliedWall(this.#first.wall, micros));
    columns.length.varint(payload.length);
    this.#micros = micros;
    this.#lastWall = wall;
    this.#lengths.push(payload.length);
    this.#lineOf.push(place);
    this.#payloads.bytes(payload);
    if (gap !== undefined) this.#gaps.push(gap);
    if (type === 'disconnect') this.#disconnects += 1;
  }

  /** The block's bytes before they are packed, and what is in it; empty from then on. */
  seal(): { readonly raw: Buffer; readonly summary: BlockSummary } {
    const { wall, mono } = this.#first ?? { wall: 0, mono: 0 };
    const lines = [...this.#lines.values()];
    const head: BlockHead = {
      wall,
      mono,
      count: this.#lengths.length,
      lines: lines.map(({ line: { venue, kind, stream } }) => [venue, kind, stream]),
    };
    const venues = new Map<string, number>();
    for (const { line, records } of lines) venues.set(line.venue, (venues.get(line.venue) ?? 0) + records);
    const raw = this.#write(Buffer.from(JSON.stringify(head)));
    const summary = {
      from: wall,
      to: this.#lastWall,
      records: head.count,
      rawBytes: this.#payloads.length,
      venues,
      gaps: this.#gaps,
      disconnects: this.#disconnects,
    };
    this.#clear();
    return { raw, summary };
  }

  #write(head: Buffer): Buffer {
    const out = new ByteWriter();
    out.varint(head.length);
    out.bytes(head);
    for (const name of COLUMNS) out.bytes(this.#columns[name].view());
    const before = out.length;
    out.bytes(this.#payloads.view());
    const raw = out.view();
    this.#group(raw.subarray(before));
    return raw;
  }

  /** Puts the payloads of each line together, lines in the order of their places. */
  #group(target: Buffer): void {
    const next = new Array<number>(this.#lines.size).fill(0);
    this.#lineOf.forEach((place, i) => {
      next[place] = (next[place] ?? 0) + (this.#lengths[i] ?? 0);
    });
    startOfEach(next);
    const source = this.#payloads.view();
    let from = 0;
    this.#lineOf.forEach((place, i) => {
      const length = this.#lengths[i] ?? 0;
      const at = next[place] ?? 0;
      source.copy(target, at, from, from + length);
      next[place] = at + length;
      from += length;
    });
  }

  #placeOf(line: WireLine): number {
    const key = `${line.venue}|${line.kind}|${line.stream}`;
    const known = this.#lines.get(key) ?? { place: this.#lines.size, line, records: 0 };
    if (known.records === 0) this.#lines.set(key, known);
    known.records += 1;
    return known.place;
  }

  #clear(): void {
    for (const name of COLUMNS) this.#columns[name].clear();
    this.#payloads.clear();
    this.#lengths = [];
    this.#lineOf = [];
    this.#lines = new Map();
    this.#gaps = [];
    this.#disconnects = 0;
    this.#first = undefined;
    this.#micros = 0;
  }
}

/** Sizes become the places at which each begins. */
function startOfEach(sizes: number[]): void {
  let at = 0;
  sizes.forEach((size, i) => {
    sizes[i] = at;
    at += size;
  });
}

function readHead(reader: ByteReader): BlockHead {
  return JSON.parse(reader.bytes(reader.varint()).toString()) as BlockHead;
}

function readColumns(reader: ByteReader, count: number): Readonly<Record<Column, readonly number[]>> {
  const read = (name: Column): readonly number[] => {
    const values: number[] = [];
    for (let i = 0; i < count; i++) values.push(name === 'wall' ? reader.signed() : reader.varint());
    return values;
  };
  const [type, line, connection, mono, wall, length] = COLUMNS.map(read);
  return {
    type: type ?? [],
    line: line ?? [],
    connection: connection ?? [],
    mono: mono ?? [],
    wall: wall ?? [],
    length: length ?? [],
  };
}

/**
 * The records of a block, in the order in which they came.
 *
 * @throws Error where the bytes are no block
 */
export function readBlock(raw: Buffer): readonly WireRecord[] {
  const reader = new ByteReader(raw);
  const head = readHead(reader);
  const columns = readColumns(reader, head.count);
  const next = new Array<number>(head.lines.length).fill(0);
  columns.line.forEach((place, i) => {
    next[place] = (next[place] ?? 0) + (columns.length[i] ?? 0);
  });
  startOfEach(next);
  const payloads = reader.bytes(reader.rest);
  let micros = 0;
  return columns.line.map((place, i) => {
    micros += columns.mono[i] ?? 0;
    const [venue = '', kind = 'history', stream = ''] = head.lines[place] ?? [];
    const at = next[place] ?? 0;
    const end = at + (columns.length[i] ?? 0);
    next[place] = end;
    const mark = columns.type[i] ?? 0;
    return {
      type: typeOf(mark),
      line: { venue, kind, stream },
      connection: columns.connection[i] ?? 0,
      wall: impliedWall(head.wall, micros) + (columns.wall[i] ?? 0),
      mono: head.mono + micros / MICRO,
      payload: payloads.subarray(at, end),
      masked: mark % 2 === 1,
    };
  });
}

function typeOf(mark: number): RecordType {
  const type = RECORD_TYPES[mark >> 1];
  if (type === undefined) throw new RangeError('the block holds a record of an unknown type');
  return type;
}

/** The content of a block that was read, as its builder would state it. */
export function summaryOf(records: readonly WireRecord[]): BlockSummary {
  const venues = new Map<string, number>();
  for (const { line } of records) venues.set(line.venue, (venues.get(line.venue) ?? 0) + 1);
  return {
    from: records[0]?.wall ?? 0,
    to: records.at(-1)?.wall ?? 0,
    records: records.length,
    rawBytes: records.reduce((sum, { payload }) => sum + payload.length, 0),
    venues,
    gaps: records.filter(({ type }) => type === 'gap').map(gapOf),
    disconnects: records.filter(({ type }) => type === 'disconnect').length,
  };
}
