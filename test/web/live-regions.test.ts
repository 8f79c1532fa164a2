import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleRow, exampleRows } from '../api/example-market.ts';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { quotedMarket } from './quoted-market.ts';
import { openVisits, type Visit, type Visits } from './visit.ts';

/** Notes each text of a live region that changes or comes, as a screen reader would say it. */
const LISTEN = `window.said = [];
const LIVE = '[role=status], [role=alert], [role=log], output, [aria-live]:not([aria-live=off])';
const note = (region) => region && region.textContent.trim() !== '' && said.push(region.textContent.trim());
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    note((target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest(LIVE));
    for (const added of addedNodes) {
      if (!(added instanceof Element)) continue;
      if (added.matches(LIVE)) note(added);
      added.querySelectorAll(LIVE).forEach(note);
    }
  }
}).observe(document, { subtree: true, childList: true, characterData: true });`;

const said = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate('said.splice(0)')) as readonly string[];

describe.skipIf(!hasChromium)('what the page says aloud, in Chromium (skipped where there is none)', () => {
  const market = quotedMarket();
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage({ market });
    visits = await openVisits();
  });
  afterEach(() => visits.closeAlone());
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  const open = async (place: string): Promise<Visit> => {
    const made = await visits.openAlone(`${servers.operator}/#/${place}`, async (page) => {
      await page.clock.install();
      await page.addInitScript(LISTEN);
    });
    await made.page.locator('main h1').waitFor();
    await made.page.locator('.loading').first().waitFor({ state: 'detached' });
    return made;
  };

  it.each([
    ...['', 'matrix', 'matrix?table=1', 'heatmap', 'asset?ticker=BTC', 'venues', 'quality', 'buy'],
    ...['pair?ticker=BTC&short=binance&long=bybit', 'carry', 'asset?ticker=BTC&market=spot'],
    ...['pair?ticker=BTC&short=binance&long=spot:bybit'],
  ])('#/%s: silent for half a minute in which nothing changes', async (place) => {
    const { page } = await open(place);
    await page.clock.runFor(3000);
    await said(page);
    await page.clock.runFor(30_000);
    expect(await said(page)).toEqual([]);
  });

  it('a chosen cell whose rate changes: said when it is chosen alone', async () => {
    const { page } = await open('matrix?min_oi=0&q=IOTX');
    const canvas = page.locator('canvas');
    await canvas.focus();
    for (let at = 0; at < 8; at += 1) await canvas.press('ArrowRight');
    await canvas.press('Enter');
    const chosen = page.getByRole('region', { name: 'Chosen' });
    await chosen.getByText(/IOTX on binance/).waitFor();
    expect(await said(page)).toContainEqual(expect.stringMatching(/^IOTX on binance/));
    for (const [rate, text] of [
      [0.0009, '+0.0900'],
      [0.0007, '+0.0700'],
    ] as const) {
      const changed = exampleRow({ venue: 'binance', ticker: 'IOTX', rate, hours: 8, mark: 0.0312 });
      const others = exampleRows().filter(({ venue, ticker }) => venue !== 'binance' || ticker !== 'IOTX');
      market.replace([...others, changed]);
      await chosen.getByText(text).first().waitFor();
      await page.clock.runFor(2000);
    }
    expect(await said(page)).toEqual([]);
  });
});
