import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PerpArbitrageFundingSignalAnswer } from '../../packages/client/src/routes.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { cellsOf, expectSound, openVisits, untilPlace, type Visits } from './visit.ts';

const MATRIX = 'Funding matrix';
const SIGNAL =
  '/v1/perp/arbitrage/funding-signal?notional_usd=50000&limit=100&min_diff=0&include_below_1k=true';
const FEE = 1.5;

describe.skipIf(!hasChromium)('costs of a size in the matrix in Chromium (skipped without Chromium)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('by my fees and the slippages of the signal, or the reason', async () => {
    const made = await visits.open(`${servers.operator}/#/matrix?min_oi=0&table=1`);
    const { page } = made;
    const venues = ['binance', 'bybit', 'okx', 'hyperliquid', 'lighter', 'hyperliquid-xyz'];
    await page.getByLabel('My taker fees, bps').fill(venues.map((venue) => `${venue}:${FEE}`).join(','));
    await page.getByLabel('Size of a leg').selectOption('$50K');
    await untilPlace(page, (hash) => hash.includes('size=50000'));
    const { opportunities } = (await (
      await fetch(servers.operator + SIGNAL)
    ).json()) as PerpArbitrageFundingSignalAnswer;
    const expected = opportunities.map((row) => {
      const { ticker, short, long, normalized_spread_8h_bps: spread, null_reasons: why } = row;
      const a = short.slippage_notional_bps ?? null;
      const b = long.slippage_notional_bps ?? null;
      if (a === null || b === null) {
        const reason = `a book is ${why?.entry_slippage_bps?.replaceAll('_', ' ')}`;
        return [ticker, `${short.venue} ${long.venue}`, reason, reason];
      }
      const cost = 2 * (FEE + FEE + a + b);
      return [
        ticker,
        `${short.venue} ${long.venue}`,
        cost.toFixed(2),
        String(Number((cost / (3 * spread)).toPrecision(3))),
      ];
    });
    expect(expected.some(([, , cost]) => Number(cost) > 0)).toBe(true);
    expect(expected.some(([, , cost]) => cost === 'a book is too thin')).toBe(true);
    await until(async () => {
      const rows = await cellsOf(page, MATRIX, ['Asset', 'Short on', 'Long on', 'Cost $50K', 'Even after']);
      const shown = rows.map(([ticker, short, long, cost, days]) => [ticker, `${short} ${long}`, cost, days]);
      for (const line of expected) expect(shown).toContainEqual(line);
      expect(shown.find(([ticker]) => ticker === 'SOL')?.[2]).toBe('there is no pair');
    });
    await expectSound(made);
  });

  it('kept in the browser, ordered by, and taken off', async () => {
    const { page } = await visits.open(`${servers.operator}/#/matrix`);
    await untilPlace(page, (hash) => hash.includes('size=50000'));
    await page.getByRole('button', { name: /^Sort by Cost/ }).click();
    await untilPlace(page, (hash) => hash.includes('sort=-cost'));
    await page.getByLabel('Size of a leg').selectOption('no costs');
    await page.getByRole('button', { name: /^Sort by Cost/ }).waitFor({ state: 'detached' });
  });

  it('what was not bought: said, and sold where it is missing', async () => {
    const made = await visits.open(`${servers.public}/#/matrix?min_oi=0&table=1&size=10000`);
    const { page } = made;
    await page.getByText(/^Not bought: the costs of \$10K a leg/).click();
    const sale = page.getByRole('region', { name: 'For sale: The costs of $10K a leg' });
    await sale.getByRole('button', { name: /^Pay \$/ }).waitFor();
    const costs = await cellsOf(page, MATRIX, ['Asset', 'Cost $10K']);
    expect(costs.find(([ticker]) => ticker === 'IOTX')?.[1]).toBe('not bought');
    await expectSound(made);
    await sale.getByRole('button', { name: /^Pay \$/ }).click();
    await page.getByText(/^Not bought/).waitFor({ state: 'detached' });
    await until(async () => {
      const bought = await cellsOf(page, MATRIX, ['Asset', 'Cost $10K']);
      expect(Number(bought.find(([ticker]) => ticker === 'IOTX')?.[1])).toBeGreaterThan(0);
    });
    await page.getByRole('columnheader', { name: /^Cost \$10K.*bps, \d\d:\d\d/ }).waitFor();
    await page.getByText(/^Bought .* ago, as of then/).waitFor();
    await page.getByRole('button', { name: 'Renew' }).click();
    await page.getByText(/^Not bought: the costs of \$10K a leg/).waitFor();
  });
});
