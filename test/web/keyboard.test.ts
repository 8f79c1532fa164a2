import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { MOST_TABS, placesToEnd } from './keyboard.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { quotedMarket } from './quoted-market.ts';
import { NARROW, openVisits, type Visits } from './visit.ts';

const WIDE = { width: 1280, height: 720 };
/** All views, and those of them that have most places for the keyboard. */
const PLACES = [
  ...['', 'matrix', 'matrix?table=1', 'heatmap', 'heatmap?table=1', 'asset?ticker=BTC', 'venues', 'quality'],
  ...['quality?section=accuracy', 'quality?section=coverage', 'quality?section=units'],
  ...['pair?ticker=BTC&short=binance&long=bybit', 'buy?route=perp-arbitrage-funding-signal'],
  ...['carry', 'asset?ticker=BTC&market=spot', 'pair?ticker=BTC&short=binance&long=spot:bybit'],
];

describe.skipIf(!hasChromium)('the page by keyboard in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage({ market: quotedMarket() });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  const cases = PLACES.flatMap((place) => [
    { place, viewport: WIDE },
    { place, viewport: NARROW },
  ]);

  it.each(cases)('#/$place, $viewport.width px: its end in few tabs', async ({ place, viewport }) => {
    const { page } = await visits.open(`${servers.operator}/#/${place}`, { viewport });
    await page.reload();
    await page.locator('main h1').waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const places = await placesToEnd(page);
    expect(places.length, places.join('\n')).toBeLessThanOrEqual(MOST_TABS);
  });
});
