import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FreeMatrixAnswer, FreePairAnswer, VenuesListAnswer } from '../../packages/client/src/routes.ts';
import { EXAMPLE_VENUES, exampleRows } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { expectSound, openVisits, sidewaysOf, tableTexts, untilPlace, type Visits } from './visit.ts';

const WIDTHS = [320, 375, 768, 1280, 1600];

describe.skipIf(!hasChromium)('the page for those who have bought nothing (skipped without Chromium)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    const market = createFakeMarket(EXAMPLE_VENUES, exampleRows());
    market.remember(exampleRows());
    servers = await servePage({ market });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });
  const read = async <Body>(path: string): Promise<Body> =>
    (await fetch(servers.public + path)).json() as Promise<Body>;

  it('home: the pair of the interface, worked out', async () => {
    const made = await visits.open(servers.public);
    const { pair } = await read<FreePairAnswer>('/v1/free/pair');
    if (pair === null) throw new Error('no pair');
    const [, ...legs] = await tableTexts(made.page, 'Legs of the worked pair');
    expect(legs.map(([side, venue, contract]) => [side, venue, contract])).toEqual([
      ['short', pair.short.venue, pair.short.venue_symbol],
      ['long', pair.long.venue, pair.long.venue_symbol],
    ]);
    const [, ...costs] = await tableTexts(made.page, 'Costs of the worked pair');
    expect(costs).toHaveLength(pair.costs.length);
    await expectSound(made);
  });

  it('funding: all assets of the free matrix, and how old they are', async () => {
    const made = await visits.open(`${servers.public}/#/matrix?min_oi=0&table=1`);
    await made.page.getByText('Free, and delayed.').waitFor();
    const { assets } = await read<FreeMatrixAnswer>('/v1/free/matrix');
    const [, ...rows] = await tableTexts(made.page, 'Funding matrix');
    expect(rows.map(([ticker]) => ticker).sort()).toEqual(assets.map(({ ticker }) => ticker).sort());
    await expectSound(made);
  });

  it('find and bounds: names that people say, amounts as they write them', async () => {
    const { page } = await visits.open(`${servers.public}/#/matrix?min_oi=0&table=1&q=bitcoin`);
    await until(async () => {
      const [, ...rows] = await tableTexts(page, 'Funding matrix');
      expect(rows.map(([ticker]) => ticker)).toEqual(['BTC']);
    });
    await page.getByLabel('Open interest ≥ USD').fill('20m');
    await untilPlace(page, (hash) => hash.includes('min_oi=20m'));
    await page.getByLabel('Open interest ≥ USD').fill('999bn');
    await page.getByText('No asset passes these filters.').waitFor();
  });

  it('a name in the field of an asset: the asset that it means', async () => {
    const { page } = await visits.open(`${servers.public}/#/asset?ticker=ETH`);
    await page.getByLabel('Asset').fill('bitcoin');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await untilPlace(page, (hash) => hash.includes('ticker=BTC'));
  });

  it('my taker fees: stand in what is left of a spread, and are kept', async () => {
    const { page } = await visits.open(`${servers.public}/#/matrix?min_oi=0&table=1`);
    await page.getByText('Free, and delayed.').waitFor();
    const lines = async () => {
      const [head = [], ...rows] = await tableTexts(page, 'Funding matrix');
      const at = (title: string): number => head.findIndex((text) => text.startsWith(title));
      return rows.map((row) => ({
        net: Number(row[at('Net')]?.replace('−', '-')),
        legs: [row[at('Short on')], row[at('Long on')]],
      }));
    };
    const before = await lines();
    const venues = await read<VenuesListAnswer>('/v1/venues/list');
    await page.getByLabel('My taker fees, bps').fill(venues.map(({ name }) => `${name}:0`).join(', '));
    const paid = (leg: string | undefined): number =>
      2 * (venues.find(({ name }) => name === leg)?.taker_fee_bps ?? Number.NaN);
    expect(before.some(({ net }) => net < 0)).toBe(true);
    await until(async () => {
      const now = await lines();
      // They stay in the order of their spreads; a ticker may stand for two assets.
      for (const [at, { net, legs }] of before.entries())
        if (!Number.isNaN(net)) expect(now[at]?.net).toBeCloseTo(net + paid(legs[0]) + paid(legs[1]), 1);
    });
    await visits.open(`${servers.public}/#/matrix`);
    await untilPlace(page, (hash) => hash.includes('fees=binance'));
    await page.getByLabel('My taker fees, bps').fill('');
  });

  it('a view saved under a name: there after a reload, and removed', async () => {
    const { page } = await visits.open(`${servers.public}/#/matrix?min_oi=20m&scale=1h`);
    await page.getByLabel('Save this view as').fill('large ones');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'large ones' }).waitFor();
    await visits.open(`${servers.public}/#/matrix?min_oi=0`);
    await page.reload();
    await page.getByRole('link', { name: 'large ones' }).click();
    await untilPlace(page, (hash) => hash.includes('min_oi=20m') && hash.includes('scale=1h'));
    await page.getByRole('button', { name: 'Remove the view large ones' }).click();
    await page.getByRole('link', { name: 'large ones' }).waitFor({ state: 'detached' });
  });

  it('the titles of columns: passed over by one link', async () => {
    const { page } = await visits.open(`${servers.public}/#/matrix?min_oi=0`);
    await page.getByRole('link', { name: 'To the cells' }).press('Enter');
    await page.locator('canvas:focus').waitFor();
    expect(page.url()).toContain('#/matrix?min_oi=0');
  });

  it.each(WIDTHS)('%i px: menu, detail and header are within the window', async (width) => {
    const made = await visits.open(`${servers.public}/#/matrix?min_oi=0`, {
      viewport: { width, height: 760 },
    });
    const { page } = made;
    await page.locator('canvas').waitFor();
    if (width < 641) await page.getByText('Filters', { exact: true }).click();
    for (const name of ['Venues', 'Columns']) {
      const summary = page.locator('.venue-choice > summary', { hasText: name });
      await summary.click();
      const menu = await page.locator('.venue-choice[open] > div').boundingBox();
      expect(menu?.x).toBeGreaterThanOrEqual(0);
      expect((menu?.x ?? 0) + (menu?.width ?? width + 1)).toBeLessThanOrEqual(width);
      await summary.click();
    }
    await page.locator('canvas').click({ position: { x: 60, y: 12 } });
    const detail = page.getByRole('region', { name: 'Chosen' });
    await detail.getByRole('link', { name: /^All venues of/ }).waitFor();
    const frame = await page.locator('.grid-place').boundingBox();
    const box = await detail.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((frame?.y ?? 0) - 1);
    expect((box?.x ?? 0) + (box?.width ?? width + 1)).toBeLessThanOrEqual(width);
    await expectSound(made);
  });

  it('a window that is turned: an open menu and the detail stay within', async () => {
    const upright = 375;
    const across = 760;
    const { page } = await visits.open(`${servers.public}/#/matrix?min_oi=0`, {
      viewport: { width: upright, height: across },
    });
    await page.locator('canvas').waitFor();
    await page.locator('canvas').click({ position: { x: 60, y: 12 } });
    await page.getByText('Filters', { exact: true }).click();
    await page.locator('.venue-choice > summary', { hasText: 'Venues' }).click();
    for (const [width, height] of [
      [across, upright],
      [upright, across],
      [320, across],
      [across, upright],
    ] as const) {
      await page.setViewportSize({ width, height });
      await until(async () => {
        const menu = await page.locator('.venue-choice[open] > div').boundingBox();
        const detail = await page.getByRole('region', { name: 'Chosen' }).boundingBox();
        for (const box of [menu, detail]) {
          expect(box?.x).toBeGreaterThanOrEqual(0);
          expect((box?.x ?? 0) + (box?.width ?? width + 1)).toBeLessThanOrEqual(width);
        }
        expect(await sidewaysOf(page)).toBe(0);
      });
    }
  });
});
