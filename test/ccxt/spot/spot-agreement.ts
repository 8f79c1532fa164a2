import { markdownTable } from '../../../scripts/markdown-table.ts';
import { spotVenueOf } from '../../../src/modules/spot/registry.ts';
import { SIMULATED } from '../../spot/simulated-spot.ts';
import type { Simulation } from '../simulation.ts';
import { ownSpot } from './own-spot.ts';
import {
  type Levels,
  type ReadBook,
  readSpot,
  SPOT_FIELDS,
  type SpotField,
  type SpotReader,
  type SpotReading,
} from './spot-reading.ts';

/** Fields that are shown together. */
const COLUMNS: readonly (readonly [name: string, fields: readonly SpotField[]])[] = [
  ['bid, ask', ['bestBid', 'bestAsk']],
  ['their sizes', ['bestBidSize', 'bestAskSize']],
  ['last', ['lastPrice']],
  ['volume', ['volumeBase', 'volumeQuote']],
  ['tick, lot', ['tick', 'lot']],
  ['least order', ['minSize', 'minQuote']],
  ['taker fee', ['takerFeeBps']],
  ['books', ['book']],
  ['borrow', ['borrow']],
];

interface FieldAgreement {
  readonly compared: number;
  readonly agreed: number;
  readonly example?: string | undefined;
}

/** Our reading of a venue's spot side, and ccxt's. */
export interface SpotAgreement {
  readonly reader: SpotReader;
  readonly exchange: string;
  /** Markets of ours, those of them that ccxt has, and some that it alone has. */
  readonly ours: number;
  readonly theirs: number;
  readonly unlisted: readonly string[];
  readonly fields: ReadonlyMap<SpotField, FieldAgreement>;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;

const sameSide = (a: Levels, b: Levels): boolean =>
  a.length === b.length &&
  a.every(([price, size], i) => near(price, b[i]?.[0] ?? 0) && near(size, b[i]?.[1] ?? 0));

const sameBook = (a: ReadBook, b: ReadBook): boolean => sameSide(a.bids, b.bids) && sameSide(a.asks, b.asks);

/** True if both are the same; undefined where the other reader has no value. */
function isSame(field: SpotField, own: SpotReading, theirs: SpotReading): boolean | undefined {
  if (field === 'book') {
    if (theirs.book === undefined) return undefined;
    return own.book !== undefined && theirs.book.bids.length > 0 && sameBook(own.book, theirs.book);
  }
  const value = theirs[field];
  return value === undefined ? undefined : own[field] !== undefined && near(own[field], value);
}

/** Reads a venue's spot side both ways and compares every field that ccxt reads, market by market. */
export async function spotAgreementOf(reader: SpotReader, sim: Simulation): Promise<SpotAgreement> {
  const plan = SIMULATED.find(({ venue }) => venue === reader.venue);
  if (plan === undefined) throw new Error(`the spot side of ${reader.venue} is not simulated`);
  const own = ownSpot(plan, sim.world);
  const theirs = await readSpot(reader, sim.addressOf(reader.venue));
  const fields = new Map<SpotField, FieldAgreement>();
  for (const [symbol, reading] of theirs) {
    const ours = own.get(symbol);
    if (ours === undefined) continue;
    for (const field of SPOT_FIELDS) {
      const alike = isSame(field, ours, reading);
      if (alike === undefined) continue;
      const { compared = 0, agreed = 0, example } = fields.get(field) ?? {};
      const said = `${symbol} ${JSON.stringify(ours[field])}, ccxt ${JSON.stringify(reading[field])}`;
      fields.set(field, {
        compared: compared + 1,
        agreed: agreed + Number(alike),
        example: example ?? (alike ? undefined : said),
      });
    }
  }
  const unlisted = [...theirs.keys()].filter((symbol) => !own.has(symbol));
  const ours = own.size;
  return {
    reader,
    exchange: reader.exchange().id,
    ours,
    theirs: theirs.size - unlisted.length,
    unlisted,
    fields,
  };
}

/** Faults: a difference that is not known, or a known one that is none any more. */
export function spotDisagreements(agreement: SpotAgreement): string[] {
  const { venue, known = {} } = agreement.reader;
  const problems = known.markets === undefined ? listingProblems(agreement) : [];
  for (const [field, { compared, agreed, example }] of agreement.fields)
    if (agreed < compared && known[field] === undefined)
      problems.push(`${venue} spot ${field}: ${agreed} of ${compared} agree, not ${example}`);
  for (const name of Object.keys(known) as (keyof typeof known)[])
    if (!differs(name, agreement))
      problems.push(`${venue} spot ${name}: the known difference is none any more`);
  return problems;
}

function listingProblems({ reader, ours, theirs, unlisted }: SpotAgreement): string[] {
  const missing = theirs < ours ? [`${reader.venue} spot: ccxt has ${theirs} of ${ours} markets`] : [];
  const more =
    unlisted.length > 0 ? [`${reader.venue} spot: only ccxt has ${unlisted.slice(0, 5).join()}`] : [];
  return [...missing, ...more];
}

function differs(name: SpotField | 'markets', agreement: SpotAgreement): boolean {
  if (name === 'markets') return listingProblems(agreement).length > 0;
  const { compared = 0, agreed = 0 } = agreement.fields.get(name) ?? {};
  return agreed < compared;
}

/** The table of agreement on spot with its notes, as Markdown. */
export function spotAgreementTable(agreements: readonly SpotAgreement[]): string {
  const notes: string[] = [];
  const marked = (text: string, venue: string, note: string | undefined): string => {
    if (note === undefined) return text;
    notes.push(`${venue}: ${note}`);
    return `${text} [${notes.length}]`;
  };
  const rows = agreements.map(({ reader, exchange, ours, theirs, unlisted, fields }) => {
    const { venue, known = {} } = reader;
    const part = theirs < ours ? `${theirs} of ${ours}` : String(ours);
    const whole = unlisted.length > 0 ? `${part}, ${unlisted.length} more` : part;
    const cells = COLUMNS.map(([, names]) => {
      const texts = names.flatMap((name) => {
        const found = fields.get(name);
        if (found === undefined) return [];
        const text =
          found.agreed === found.compared ? String(found.agreed) : `${found.agreed} of ${found.compared}`;
        return [marked(text, venue, known[name])];
      });
      return [...new Set(texts)].join('; ');
    });
    return [venue, exchange, marked(whole, venue, known.markets), ...cells];
  });
  const header = ['venue', 'ccxt', 'markets', ...COLUMNS.map(([name]) => name)];
  const listed = notes.map((note, i) => `${i + 1}. ${note}\n`).join('');
  return `${markdownTable(header, rows)}\nDifferences, and who is right:\n\n${listed}`;
}

/** The number of spot venues of ours that no reader has. */
export const unreadSpot = (readers: readonly SpotReader[]): readonly string[] =>
  SIMULATED.map(({ venue }) => venue).filter(
    (venue) => spotVenueOf(venue) !== undefined && !readers.some((reader) => reader.venue === venue),
  );
