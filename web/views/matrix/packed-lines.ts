/**
 * Lines of the matrix as a few arrays of numbers, which pass between threads without being copied; the texts among them
 * are numbers of words, each of which passes once. Objects for thousands of cells take longer than a frame may.
 */
import type { AssetLine, Cell, CellState } from './grid-model.ts';
import type { Lines } from './matrix-view.ts';

const ROW_NUMBERS = [
  ...(['rate', 'rate_8h', 'funding_interval_hours', 'open_interest', 'volume_24h'] as const),
] as const;
const ROW_TIMES = ['rate_updated_at', 'next_funding_time'] as const;
const ROW_WORDS = ['venue', 'venue_symbol', 'quote', 'uncomparable_reason'] as const;
const CELL_NUMBERS = ['value', 'rate8h'] as const;
const MEANS = ['rate_8h_1d', 'rate_8h_7d', 'rate_8h_30d'] as const;
const LINE_NUMBERS = [
  ...(['spread8h', 'netBps', 'costBps', 'breakevenDays', 'persistence', 'openInterest', 'volume'] as const),
] as const;
const LINE_WORDS = ['id', 'ticker', 'assetClass', 'costWhy'] as const;

type Numbers<Name extends string> = Readonly<Record<Name, Float64Array>>;
type Words<Name extends string> = Readonly<Record<Name, Uint32Array>>;

/** Unknown is NaN among the numbers and 0 among the words. */
export interface PackedLines {
  /** Where each line's cells begin, and where the last one's end. */
  readonly starts: Uint32Array;
  readonly lineNumbers: Numbers<(typeof LINE_NUMBERS)[number]>;
  readonly lineWords: Words<(typeof LINE_WORDS)[number]>;
  /** Places of the legs among all cells, from 1 on. */
  readonly legs: Words<'long' | 'short'>;
  readonly cellNumbers: Numbers<
    | (typeof ROW_NUMBERS)[number]
    | (typeof ROW_TIMES)[number]
    | (typeof CELL_NUMBERS)[number]
    | (typeof MEANS)[number]
  >;
  readonly cellWords: Words<(typeof ROW_WORDS)[number] | 'state' | 'why'>;
  /** Words that were not passed before. */
  readonly newWords: readonly string[];
}

/** The numbers of words; kept as long as the page is followed. */
export class WordList {
  readonly #places = new Map<string, number>();
  #fresh: string[] = [];

  placeOf(word: string | undefined): number {
    if (word === undefined) return 0;
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    this.#places.set(word, this.#places.size + 1);
    this.#fresh.push(word);
    return this.#places.size;
  }

  /** Words since the last call. */
  takeFresh(): readonly string[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }
}

const columns = <Name extends string, Column>(
  names: readonly Name[],
  make: (name: Name) => Column,
): Readonly<Record<Name, Column>> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Column>;

const numbers = (values: readonly (number | null | undefined)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN);

/** Reasons for unknown means, each once. */
const whyOf = ({ means }: Cell): string | undefined =>
  means?.null_reasons && [...new Set(Object.values(means.null_reasons))].join(', ');

export function packLines(lines: readonly AssetLine[], words: WordList): PackedLines {
  const starts = new Uint32Array(lines.length + 1);
  const cells: Cell[] = [];
  const legs = { long: new Uint32Array(lines.length), short: new Uint32Array(lines.length) };
  lines.forEach((line, at) => {
    for (const cell of line.cells.values()) {
      cells.push(cell);
      if (cell === line.long) legs.long[at] = cells.length;
      if (cell === line.short) legs.short[at] = cells.length;
    }
    starts[at + 1] = cells.length;
  });
  const wordsOf = <Of>(of: readonly Of[], read: (item: Of) => string | undefined): Uint32Array =>
    Uint32Array.from(of, (item) => words.placeOf(read(item)));
  const time = (text: string | null): number => (text === null ? Number.NaN : Date.parse(text));
  return {
    starts,
    legs,
    lineNumbers: columns(LINE_NUMBERS, (name) => numbers(lines.map((line) => line[name]))),
    lineWords: columns(LINE_WORDS, (name) => wordsOf(lines, (line) => line[name])),
    cellNumbers: {
      ...columns(CELL_NUMBERS, (name) => numbers(cells.map((cell) => cell[name]))),
      ...columns(ROW_NUMBERS, (name) => numbers(cells.map(({ row }) => row[name]))),
      ...columns(ROW_TIMES, (name) => Float64Array.from(cells, ({ row }) => time(row[name]))),
      ...columns(MEANS, (name) => numbers(cells.map(({ means }) => means?.[name]))),
    },
    cellWords: {
      ...columns(ROW_WORDS, (name) => wordsOf(cells, ({ row }) => row[name])),
      state: wordsOf(cells, ({ state }) => state),
      why: wordsOf(cells, whyOf),
    },
    newWords: words.takeFresh(),
  };
}

/** Buffers that pass to another thread instead of being copied. */
export const buffersOf = (packed: PackedLines): ArrayBufferLike[] =>
  [
    ...[packed.starts, ...Object.values(packed.lineNumbers), ...Object.values(packed.lineWords)],
    ...[
      ...Object.values(packed.legs),
      ...Object.values(packed.cellNumbers),
      ...Object.values(packed.cellWords),
    ],
  ].map(({ buffer }) => buffer);

const known = (column: Float64Array, at: number): number | null => {
  const value = column[at] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
};

const timeOf = (column: Float64Array, at: number): string | null => {
  const value = known(column, at);
  return value === null ? null : new Date(value).toISOString();
};

/** Lines that are made when they are looked at. */
export class UnpackedLines implements Lines {
  readonly length: number;
  readonly #packed: PackedLines;
  readonly #words: readonly string[];
  readonly #made: (AssetLine | undefined)[] = [];

  /** @param words all that were passed until now, the first one at 1 */
  constructor(packed: PackedLines, words: readonly string[]) {
    this.#packed = packed;
    this.#words = words;
    this.length = packed.starts.length - 1;
  }

  at(place: number): AssetLine | undefined {
    if (place < 0 || place >= this.length) return undefined;
    this.#made[place] ??= this.#line(place);
    return this.#made[place];
  }

  withId(id: string): AssetLine | undefined {
    return this.at(this.#packed.lineWords.id.findIndex((word) => this.#words[word] === id));
  }

  #word(column: Uint32Array, at: number): string {
    return this.#words[column[at] ?? 0] ?? '';
  }

  #line(place: number): AssetLine {
    const { starts, lineNumbers, lineWords, legs } = this.#packed;
    const start = starts[place] ?? 0;
    const end = starts[place + 1] ?? 0;
    const of = {
      id: this.#word(lineWords.id, place),
      ticker: this.#word(lineWords.ticker, place),
      assetClass: this.#word(lineWords.assetClass, place),
      costWhy: this.#word(lineWords.costWhy, place),
    };
    const made = Array.from({ length: end - start }, (_, at) => this.#cell(start + at, of));
    const leg = (name: 'long' | 'short'): Cell | undefined => made[(legs[name][place] ?? 0) - 1 - start];
    return {
      ...of,
      cells: new Map(made.map((cell) => [cell.row.venue, cell])),
      long: leg('long'),
      short: leg('short'),
      ...columns(LINE_NUMBERS, (name) => known(lineNumbers[name], place)),
    };
  }

  #cell(at: number, { id, ticker, assetClass }: Pick<AssetLine, 'id' | 'ticker' | 'assetClass'>): Cell {
    const { cellNumbers: number, cellWords: words } = this.#packed;
    const why = this.#word(words.why, at);
    const reason = this.#word(words.uncomparable_reason, at);
    const row = {
      canonical_id: id,
      symbol: ticker,
      asset_class: assetClass,
      venue: this.#word(words.venue, at),
      venue_symbol: this.#word(words.venue_symbol, at),
      quote: this.#word(words.quote, at),
      ...columns(ROW_NUMBERS, (name) => known(number[name], at)),
      ...columns(ROW_TIMES, (name) => timeOf(number[name], at)),
      ...(reason !== '' && { uncomparable_reason: reason }),
    };
    return {
      // Its words are those of a row.
      row: row as Cell['row'],
      means: {
        ...columns(MEANS, (name) => known(number[name], at)),
        last_payment_at: null,
        ...(why !== '' && { null_reasons: { all: why } }),
      } as NonNullable<Cell['means']>,
      value: known(number.value, at),
      rate8h: known(number.rate8h, at),
      state: this.#word(words.state, at) as CellState,
    };
  }
}
