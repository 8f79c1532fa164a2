import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { callsOf } from '../../../src/venues/adapter.ts';
import { readPayloads } from '../recordings.ts';
import { adapterFor, type Line, linesOf } from './case.ts';
import { JUDGED } from './judged-cases.ts';

/** Payloads of public bug reports, with what is right of each; no part of the repository. */

interface PublicCase {
  readonly file: string;
  readonly url: string;
  readonly expected?: Readonly<Record<string, unknown>>;
  /** Recorded lists of contracts that are known before. */
  readonly context?: readonly string[];
}

const repoRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
/** Folder of the cases: `../shared/cases` beside the repository, or PERPMETER_CASES. */
const ROOT = process.env.PERPMETER_CASES ?? join(repoRoot, '../shared/cases');
const INDEX = join(ROOT, 'index.json');

/** A page is one text; whatever else is no JSON is so line by line. */
function payloadsOf(file: string): readonly unknown[] {
  const path = join(ROOT, file);
  const text = readFileSync(path, 'utf8');
  return text.trimStart().startsWith('<') ? [text] : readPayloads(path);
}

function contractsOf(venue: string, { context = [] }: PublicCase): readonly Instrument[] {
  const calls = callsOf(adapterFor(venue));
  return context.flatMap((file) => {
    const [payload] = payloadsOf(`${venue}/${file}`);
    const lists = calls.map((call) => call.decode(payload, { instruments: new Map() }).instruments);
    return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
  });
}

const COUNTED: Readonly<Record<string, string>> = {
  quotes: 'quote',
  instruments: 'instrument',
  books: 'book',
  funding_points: 'funding_point',
};

/** The value of the lines under a name that `expected` has; undefined where no rule is known for it. */
function said(lines: readonly Line[], name: string, like: unknown): unknown {
  const counted = COUNTED[name];
  if (counted !== undefined) return lines.filter(({ type }) => type === counted).length;
  if (name === 'reject') return lines.find(({ reason }) => reason === like)?.reason;
  const facts = lines.filter(({ type }) => type !== 'reject');
  if (name === 'first') return facts[0]?.time;
  if (!/^[a-z0-9]+(_[a-z0-9]+)+$|^ticker$|^multiplier$/.test(name)) return undefined;
  if (Array.isArray(like)) return facts.map((line) => line[name] ?? null);
  return facts.find((line) => line[name] !== undefined)?.[name] ?? null;
}

function judge(entry: PublicCase): void {
  const venue = entry.file.split('/', 1)[0] ?? '';
  const lines = linesOf(venue, entry.url, payloadsOf(entry.file), contractsOf(venue, entry));
  const own = JUDGED[entry.file];
  if (own !== undefined) {
    own(lines);
    return;
  }
  const expected = entry.expected ?? {};
  expect(Object.keys(expected).length, `${entry.file}: nothing says what is right`).toBeGreaterThan(0);
  const found = Object.entries(expected).map(([name, like]) => [name, said(lines ?? [], name, like)]);
  expect(Object.fromEntries(found)).toEqual(expected);
}

if (!existsSync(INDEX)) {
  describe.skip(`cases of public bug reports (skipped: none at ${ROOT})`, () => {
    it('needs the cases', () => expect(existsSync(INDEX)).toBe(true));
  });
} else {
  const cases: readonly PublicCase[] = JSON.parse(readFileSync(INDEX, 'utf8'));
  describe('cases of public bug reports', () => {
    it.each(cases.map((entry) => [entry.file, entry] as const))('%s: as the report says', (_, entry) => {
      judge(entry);
    });
  });
}
