import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../pay/fakes.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { quotedMarket } from './quoted-market.ts';
import { MOST_SHIFT, shiftOf, WATCH_SHIFTS } from './shifts.ts';
import { expectSound, NARROW, openVisits, untilPlace, type Visits } from './visit.ts';

const PAIR = 'pair?ticker=BTC&short=binance&long=bybit';
const SPOT_PAIR = 'pair?ticker=BTC&short=binance&long=spot:bybit';
/** Of one answer alone, since a move counts by the farthest one of its frame: a second late answer makes more of it. */
const LATE_SHIFT = MOST_SHIFT / 4;
const WIDE = { width: 1280, height: 720 };

describe.skipIf(!hasChromium)('the layout of the page in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage({ market: quotedMarket() });
    visits = await openVisits();
  });
  afterEach(() => visits.closeAlone());
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  const read = async (page: Page): Promise<void> => {
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };

  // Each is a page of its own; most views move more in a narrow window.
  const spot = ['carry', 'asset?ticker=BTC&market=spot', SPOT_PAIR];
  const narrow = ['', 'matrix', 'asset?ticker=BTC', PAIR, 'heatmap', 'venues', 'quality', 'buy', ...spot];
  const wide = ['asset', PAIR, ...spot];
  const places = [
    ...narrow.map((place) => [place, NARROW] as const),
    ...wide.map((place) => [place, WIDE] as const),
  ];

  it.each(places)('#/%s, %o: nothing moves while it is read', async (place, size) => {
    const { page } = await visits.openAlone(`${servers.operator}/#/${place}`, async (made) => {
      await made.setViewportSize(size);
      await made.addInitScript(WATCH_SHIFTS);
    });
    await read(page);
    const { sum, shifts } = await shiftOf(page);
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT);
  });

  it.each(['watch', ...narrow])('#/%s, the list of routes comes last: nothing moves', async (place) => {
    const drawn = deferred<void>();
    const { page } = await visits.openAlone(`${servers.public}/#/${place}`, async (made) => {
      await made.setViewportSize({ width: 768, height: 800 });
      await made.addInitScript(WATCH_SHIFTS);
      await made.route('**/openapi.json', async (route) => {
        await drawn.promise;
        await route.continue();
      });
    });
    await page.locator('main h1').waitFor();
    await shiftOf(page);
    drawn.resolve();
    await read(page);
    const { sum, shifts } = await shiftOf(page);
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(LATE_SHIFT);
  });

  it('a sold address opened in a browser leads to its purchase', async () => {
    const made = await visits.open(`${servers.public}/#/nowhere`);
    const { page } = made;
    await page.goto(`${servers.public}/v1/perp/snapshot?ticker=ETH`);
    await page.getByRole('heading', { name: 'This answer is sold' }).waitFor();
    await expectSound(made);
    await page.getByRole('link', { name: 'Buy it on the page' }).click();
    await untilPlace(page, (hash) => hash === '#/buy?route=perp-snapshot&p.ticker=ETH');
    await page.getByRole('button', { name: 'Ask for the price' }).waitFor();
  });

  it.each(['/errors', '/errors/no_data', '/v1/nothing'])('%s is a page, also in the dark', async (path) => {
    const made = await visits.open(`${servers.public}/#/nowhere`, { colorScheme: 'dark', viewport: NARROW });
    await made.page.goto(servers.public + path);
    await made.page.locator('main h1').waitFor();
    await expectSound(made);
  });
});
