import { markdownTable } from '../../scripts/markdown-table.ts';
import { completeQuote } from '../../src/domain/complete.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { QuotePatch } from '../../src/domain/quote.ts';
import type { CcxtReader, Field, Reading } from './reading.ts';
import type { Simulation } from './simulation.ts';

/** Fields that are shown together. */
const COLUMNS: readonly (readonly [name: string, fields: readonly Field[]])[] = [
  ['rate', ['fundingRate']],
  ['next', ['nextFundingTime']],
  ['interval', ['intervalHours']],
  ['mark', ['markPrice']],
  ['index', ['indexPrice']],
  ['bid, ask', ['bestBid', 'bestAsk']],
  ['open interest', ['openInterestRaw', 'openInterestBase', 'openInterestUsd']],
  ['volume', ['volumeRaw', 'volumeBase', 'volumeUsd']],
  ['taker fee', ['takerFeeBps']],
];

/** The number of agreements of two readers on one field. */
export interface FieldAgreement {
  readonly compared: number;
  readonly agreed: number;
  /** One contract on which they differ. */
  readonly example?: string | undefined;
}

/** Our reading of one venue, and ccxt's. */
export interface VenueAgreement {
  readonly reader: CcxtReader;
  /** Contracts of ours, and those of them that ccxt reads. */
  readonly ours: number;
  readonly theirs: number;
  /** Contracts that only ccxt takes for live linear perpetuals. */
  readonly unlisted: readonly string[];
  readonly fields: ReadonlyMap<Field, FieldAgreement>;
}

/** Our value of a field, in the units of the venue's named base. */
function ourValue(field: Field, quote: QuotePatch, instrument: Instrument, usualFee: number | undefined) {
  const { multiplier } = instrument;
  const perNamed = (price: number | undefined) => (price === undefined ? undefined : price * multiplier);
  const named = (amount: number | undefined) => (amount === undefined ? undefined : amount / multiplier);
  switch (field) {
    case 'intervalHours':
      return quote.fundingIntervalHours ?? instrument.fundingIntervalHours;
    case 'markPrice':
    case 'indexPrice':
    case 'bestBid':
    case 'bestAsk':
      return perNamed(quote[field]);
    case 'openInterestBase':
      return named(quote.openInterestBase);
    case 'volumeRaw':
      return quote.volume24hRaw;
    case 'volumeBase':
      return named(quote.volume24hBase);
    case 'volumeUsd':
      return quote.volume24hUsd;
    case 'takerFeeBps':
      return instrument.takerFeeBps ?? usualFee;
    default:
      return quote[field];
  }
}

function near(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9;
}

/** Reads a venue with ccxt and compares every field it reads with ours, contract by contract. */
export async function agreementOf(reader: CcxtReader, sim: Simulation): Promise<VenueAgreement> {
  const { adapter } = sim.pairing(reader.venue);
  const ours = sim.ours(reader.venue);
  const { instruments } = ours;
  const quotes = reader.isStreamed === true ? ours.streamedLast : ours.quotes;
  const theirs = new Map<string, Reading>();
  const { live, readings } = await reader.read(sim.addressOf(adapter.parent ?? adapter.id));
  for (const [symbol, reading] of readings) {
    const stated = Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined));
    if (symbol !== '') theirs.set(symbol, { ...theirs.get(symbol), ...stated });
  }
  const fields = new Map<Field, FieldAgreement>();
  for (const instrument of instruments.values()) {
    const { symbol } = instrument;
    const quote = completeQuote(quotes.get(symbol) ?? { symbol });
    for (const [name, value] of Object.entries(theirs.get(symbol) ?? {})) {
      const field = name as Field;
      const own = ourValue(field, quote, instrument, adapter.takerFeeBps);
      const { compared = 0, agreed = 0, example } = fields.get(field) ?? {};
      const alike = near(own, Number(value));
      fields.set(field, {
        compared: compared + 1,
        agreed: agreed + (alike ? 1 : 0),
        example: example ?? (alike ? undefined : `${symbol} ${own}, ccxt ${value}`),
      });
    }
  }
  return {
    reader,
    ours: instruments.size,
    theirs: live.filter((symbol) => instruments.has(symbol)).length,
    unlisted: live.filter((symbol) => !instruments.has(symbol)),
    fields,
  };
}

/** Faults: a difference that is no known mistake of ccxt, or a known one that is none any more. */
export function disagreements(agreement: VenueAgreement): string[] {
  const { venue, known = {} } = agreement.reader;
  const problems = known.contracts === undefined ? listingProblems(agreement) : [];
  for (const [field, { compared, agreed, example }] of agreement.fields) {
    if (agreed < compared && known[field] === undefined) {
      problems.push(`${venue} ${field}: ${agreed} of ${compared} agree, not ${example}`);
    }
  }
  for (const name of Object.keys(known) as (keyof typeof known)[]) {
    if (!isMade(name, agreement)) problems.push(`${venue} ${name}: the known mistake of ccxt was not made`);
  }
  return problems;
}

function listingProblems({ reader, ours, theirs, unlisted }: VenueAgreement): string[] {
  const missing = theirs < ours ? [`${reader.venue}: ccxt has ${theirs} of ${ours} contracts`] : [];
  const more = unlisted.length > 0 ? [`${reader.venue}: only ccxt has ${unlisted.slice(0, 5).join()}`] : [];
  return [...missing, ...more];
}

function isMade(name: Field | 'contracts', agreement: VenueAgreement): boolean {
  if (name === 'contracts') return listingProblems(agreement).length > 0;
  const { compared = 0, agreed = 0 } = agreement.fields.get(name) ?? {};
  return agreed < compared;
}

/** Collects notes and numbers them. */
class Notes {
  readonly all: string[] = [];

  /** `text`, with the number of the note behind it where there is one. */
  marked(text: string, venue: string, note: string | undefined): string {
    if (note === undefined) return text;
    this.all.push(`${venue}: ${note}`);
    return `${text} [${this.all.length}]`;
  }
}

/** `250`, `12 of 250` or nothing. */
function cell({ fields: found, reader }: VenueAgreement, fields: readonly Field[], notes: Notes): string {
  const texts = fields.flatMap((field) => {
    const agreement = found.get(field);
    if (agreement === undefined) return [];
    const { compared, agreed } = agreement;
    const text = agreed === compared ? String(agreed) : `${agreed} of ${compared}`;
    return [notes.marked(text, reader.venue, reader.known?.[field])];
  });
  return [...new Set(texts)].join('; ');
}

function listing({ ours, theirs, unlisted, reader }: VenueAgreement, notes: Notes): string {
  const text = theirs < ours ? `${theirs} of ${ours}` : String(ours);
  const more = unlisted.length > 0 ? `${text}, ${unlisted.length} more` : text;
  return notes.marked(more, reader.venue, reader.known?.contracts);
}

/** The table of agreement with its notes, as Markdown. */
export function agreementTable(agreements: readonly VenueAgreement[]): string {
  const notes = new Notes();
  const header = ['venue', 'ccxt', 'contracts', ...COLUMNS.map(([name]) => name)];
  const rows = agreements.map((agreement) => [
    agreement.reader.venue,
    agreement.reader.exchange,
    listing(agreement, notes),
    ...COLUMNS.map(([, fields]) => cell(agreement, fields, notes)),
  ]);
  const listed = notes.all.map((note, i) => `${i + 1}. ${note}\n`).join('');
  return `${markdownTable(header, rows)}\nKnown mistakes of ccxt:\n\n${listed}`;
}
