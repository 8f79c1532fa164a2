import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { completenessOf, LIQUIDATIONS } from '../../src/modules/events/completeness.ts';
import { EVENT_VENUES } from '../../src/modules/events/registry.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { decodeCase } from './decode-case.ts';
import { EVENT_FRAMES } from './event-frames.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const page = (venue: string): string =>
  readFileSync(new URL(`../../src/venues/${venue}/VENUE.md`, import.meta.url), 'utf8');

describe('what venues publish of liquidations', () => {
  it('every venue is declared, and read', () => {
    const ids = VENUES.map(({ id }) => id).sort();
    expect(Object.keys(LIQUIDATIONS).sort()).toEqual(ids);
    expect(EVENT_VENUES.map(({ id }) => id).sort()).toEqual(ids);
  });

  it('every declaration: of the words that there are', () => {
    const words = {
      completeness: ['all', 'sampled', 'unverified', 'not_published'],
      side: ['position', 'order', 'taker', 'none'],
      sideProof: ['recorded', 'documented', 'unproven', 'none'],
    } as const;
    for (const [venue, declared] of Object.entries(LIQUIDATIONS)) {
      expect(words.completeness, venue).toContain(declared.completeness);
      expect(words.side, venue).toContain(declared.side);
      expect(words.sideProof, venue).toContain(declared.sideProof);
    }
  });

  it('a sample states its rule, a venue that publishes its source', () => {
    for (const [venue, { completeness, rule, from, side }] of Object.entries(LIQUIDATIONS)) {
      const publishes = completeness !== 'not_published';
      expect([from !== undefined, side !== 'none'], venue).toEqual([publishes, publishes]);
      if (completeness === 'sampled') expect(rule, venue).toBeDefined();
    }
  });

  it('the table of the page: as declared', () => {
    const args = ['--import', 'tsx', 'scripts/events-table.ts', '--check'];
    expect(() => execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
  });

  it('binance: the routed path, one host, no test network', () => {
    expect(LIQUIDATIONS.binance?.from).toBe('wss://fstream.binance.com/market/ws/!forceOrder@arr');
  });

  it('a dex of hyperliquid: as its parent', () => {
    expect(completenessOf('hyperliquid-xyz')).toBe(LIQUIDATIONS.hyperliquid);
    expect(completenessOf('nowhere')).toBeUndefined();
  });

  it('the frames of the market of a venue that publishes none: none', () => {
    const ofMarket = EVENT_FRAMES.filter(({ when }) => !/address|node/.test(when));
    for (const given of ofMarket) {
      const publishes = completenessOf(given.venue)?.completeness !== 'not_published';
      if (!publishes) expect(decodeCase(given).liquidations, given.when).toEqual([]);
    }
  });

  it.each(Object.entries(LIQUIDATIONS))('%s: its page has the same word', (venue, { completeness }) => {
    const [, section = ''] = page(venue).split('## Liquidations and trades');
    expect(section).toContain(`\`${completeness}\``);
  });
});
