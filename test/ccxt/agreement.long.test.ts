import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agreementOf, disagreements, type VenueAgreement } from './agreement.ts';
import { agreementDocument } from './document.ts';
import { READERS, UNKNOWN_TO_CCXT } from './readers/index.ts';
import type { CcxtReader } from './reading.ts';
import { Simulation } from './simulation.ts';
import { type SpotAgreement, spotAgreementOf, spotDisagreements, unreadSpot } from './spot/spot-agreement.ts';
import { SPOT_READERS } from './spot/spot-readers.ts';
import type { SpotReader } from './spot/spot-reading.ts';

let sim: Simulation;
const found = new Map<CcxtReader, VenueAgreement>();
const foundSpot = new Map<SpotReader, SpotAgreement>();

beforeAll(async () => {
  sim = await Simulation.start();
});

afterAll(() => sim.close());

it('every venue that ccxt supports has a reader', () => {
  expect(ccxt.exchanges.filter((id) => UNKNOWN_TO_CCXT.includes(id))).toEqual([]);
});

describe.each(READERS)('$venue', (reader) => {
  it('has the same values through ccxt, known mistakes aside', async () => {
    const agreement = await agreementOf(reader, sim);
    found.set(reader, agreement);
    expect(disagreements(agreement)).toEqual([]);
    expect(agreement.fields.size).toBeGreaterThan(0);
  });
});

it('every simulated spot side has a reader', () => {
  expect(unreadSpot(SPOT_READERS)).toEqual([]);
});

describe.each(SPOT_READERS)('spot of $venue', (reader) => {
  it('has the same values through ccxt, known differences aside', async () => {
    const agreement = await spotAgreementOf(reader, sim);
    foundSpot.set(reader, agreement);
    expect(spotDisagreements(agreement)).toEqual([]);
    expect(agreement.fields.size).toBeGreaterThan(4);
  });
});

it('docs/ccxt-agreement.md matches the comparison', () => {
  const path = fileURLToPath(new URL('../../docs/ccxt-agreement.md', import.meta.url));
  const agreements = READERS.flatMap((reader) => found.get(reader) ?? []);
  const spot = SPOT_READERS.flatMap((reader) => foundSpot.get(reader) ?? []);
  expect(readFileSync(path, 'utf8')).toBe(agreementDocument(agreements, spot));
});

describe('the comparison', () => {
  const other = (change: CcxtReader['read'], known?: CcxtReader['known']): CcxtReader => ({
    venue: 'dydx',
    exchange: 'dydx',
    read: change,
    ...(known === undefined ? {} : { known }),
  });
  const symbols = () => [...sim.ours('dydx').instruments.keys()];
  const marks = (factor: number) =>
    symbols().map((symbol) => {
      const { markPrice = 0 } = sim.ours('dydx').quotes.get(symbol) ?? {};
      return [symbol, { markPrice: markPrice * factor }] as const;
    });

  it('detects a different value, a missing contract and an extra one', async () => {
    const wrong = await agreementOf(
      other(async () => ({ live: symbols(), readings: marks(2) })),
      sim,
    );
    expect(disagreements(wrong).join()).toMatch(/dydx markPrice: 0 of \d+ agree/);
    const few = await agreementOf(
      other(async () => ({ live: symbols().slice(1), readings: [] })),
      sim,
    );
    expect(disagreements(few).join()).toMatch(/ccxt has \d+ of \d+ contracts/);
    const many = await agreementOf(
      other(async () => ({ live: [...symbols(), 'X'], readings: [] })),
      sim,
    );
    expect(disagreements(many)).toEqual(['dydx: only ccxt has X']);
  });

  it('accepts a known mistake only while ccxt makes it', async () => {
    const known = { markPrice: 'twice the mark' };
    const made = await agreementOf(
      other(async () => ({ live: symbols(), readings: marks(2) }), known),
      sim,
    );
    expect(disagreements(made)).toEqual([]);
    const mended = await agreementOf(
      other(async () => ({ live: symbols(), readings: marks(1) }), known),
      sim,
    );
    expect(disagreements(mended)).toEqual(['dydx markPrice: the known mistake of ccxt was not made']);
  });
});
