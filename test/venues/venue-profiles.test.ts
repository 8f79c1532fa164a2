import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createWorld } from '@perpmeter/sim/create-world';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { describe, expect, it } from 'vitest';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';
import { thinned } from './relisted-world.ts';
import { pairingsOf, runAdapter } from './sim-run.ts';
import { pageProblems, readVenuePage } from './venue-page.ts';

const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
const world = thinned(createWorld(1));
const runs = new Map(
  pairingsOf(VENUES, SIM_VENUES, world, AT).map((pairing) => [
    pairing.adapter.id,
    () => runAdapter(pairing, world, AT),
  ]),
);

describe.each(KNOWN_VENUES)('profile of $id', (adapter) => {
  const page = readVenuePage(adapter);
  const run = runs.get(adapter.id)?.();

  it('has a VENUE.md with the rows that the guide asks for', () => {
    expect(pageProblems(adapter)).toEqual([]);
  });

  it('states its base-tier taker fee, or every contract states its own', () => {
    const { takerFeeBps } = adapter;
    if (takerFeeBps === undefined) {
      const fees = [...(run?.instruments.values() ?? [])].map((instrument) => instrument.takerFeeBps);
      expect(fees.length).toBeGreaterThan(0);
      expect(fees).not.toContain(undefined);
      expect(page?.text).toContain('takerFeeBps');
    } else {
      expect(takerFeeBps).toBeGreaterThanOrEqual(0);
      expect(takerFeeBps).toBeLessThanOrEqual(20);
      // The page names the same figure.
      expect(page?.text ?? '').toMatch(new RegExp(`\\b${String(takerFeeBps).replace('.', '\\.')}(\\.0)?\\b`));
    }
  });

  it('names its index source, and has an index exactly then', () => {
    expect(adapter.index.family).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(adapter.index.description.length).toBeGreaterThan(10);
    const quotes = [...(run?.quotes.values() ?? [])];
    expect(quotes.length).toBeGreaterThan(0);
    const own = quotes.filter(
      ({ indexPrice, markPrice }) => indexPrice !== undefined && indexPrice !== markPrice,
    );
    expect(own.length > 0).toBe(adapter.hasIndex);
    if (!adapter.hasIndex) expect(page?.text).toMatch(/\| indexPrice +\| none|no index|the mark/);
  });
});

describe.each(KNOWN_VENUES)('addresses of $id', ({ bases }) => {
  it('are on the usual port, which networks and venues close last', () => {
    expect(Object.values(bases).map((base) => new URL(base).port)).toEqual(Object.keys(bases).map(() => ''));
  });
});

describe.each(KNOWN_VENUES)('rates of $id', (adapter) => {
  it('are restated as declared, or within half of the rate limit', () => {
    const exchanges = runs.get(adapter.id)?.().calls ?? [];
    const states = (name: string): boolean =>
      exchanges.some(
        (exchange) =>
          exchange.name === name &&
          exchange.decoded.quotes.some(({ fundingRate }) => fundingRate !== undefined),
      );
    const polls = adapter.polls.filter(({ kind, call }) => kind === 'quotes' && states(call.name));
    const slowest = Math.max(0, ...polls.map(({ everyMs }) => everyMs));
    expect(Math.max(30_000, adapter.rateEveryMs ?? 0)).toBeGreaterThanOrEqual(slowest);
    expect(adapter.rateEveryMs ?? 60_000).toBeLessThanOrEqual(450_000);
  });
});

describe('the template', () => {
  it('has a VENUE.md of the same form', () => {
    expect(pageProblems({ id: '_template', heading: 'template' })).toEqual([]);
  });

  it('is in no list that users see', () => {
    expect(KNOWN_VENUES.filter(({ id }) => id.includes('template'))).toEqual([]);
    expect(SIM_VENUES.filter(({ id }) => id.includes('template'))).toEqual([]);
  });
});

describe('source ids', () => {
  it('no two venues share a number', () => {
    const given = KNOWN_VENUES.map(({ sourceId }) => sourceId);
    expect(given).not.toContain(undefined);
    expect(new Set(given).size).toBe(given.length);
  });
});

describe('docs/venues.md', () => {
  it('is what the adapters say', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const args = ['--import', 'tsx', 'scripts/venue-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' })).not.toThrow();
  });
});
