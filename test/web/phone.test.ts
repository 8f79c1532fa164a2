import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { quotedMarket } from './quoted-market.ts';
import { expectSound, openVisits, tableTexts, untilPlace, type Visits } from './visit.ts';

const WIDTHS = [320, 375, 768, 1024, 1600];
const PHONE = { width: 320, height: 760 };
const DESK = { width: 1280, height: 720 };
const VENUES = 'Health of each venue';

/** Faults of the header: what is cut, beyond the window, in a second line, or upon another part. */
const HEADER_FAULTS = `(() => {
  const shown = [...document.querySelectorAll('header.top :is(a, button, .tag)')]
    .filter((part) => part.checkVisibility() && part.getClientRects().length > 0);
  const faults = [];
  const places = shown.map((part) => [part.textContent.trim(), part.getBoundingClientRect()]);
  for (const [at, [name, box]] of places.entries()) {
    if (box.left < 0 || box.right > innerWidth) faults.push(name + ' is beyond the window');
    if (shown[at].scrollWidth > shown[at].clientWidth + 1) faults.push(name + ' is cut');
    if (box.height > 45) faults.push(name + ' is broken into lines');
    for (const [other, near] of places.slice(at + 1)) {
      if (box.right > near.left + 0.5 && near.right > box.left + 0.5) faults.push(name + ' is upon ' + other);
      if (Math.abs(box.top + box.bottom - near.top - near.bottom) > 8) faults.push(other + ' is in another line');
    }
  }
  return faults;
})()`;

const headerFaults = (page: Page) => page.evaluate(HEADER_FAULTS);

describe.skipIf(!hasChromium)('the page on a phone in Chromium (skipped where there is none)', () => {
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

  it.each(WIDTHS)('header, %i px: in one line, nothing cut', async (width) => {
    for (const origin of [servers.public, servers.operator]) {
      const { page } = await visits.open(`${origin}/#/venues`, { viewport: { width, height: 760 } });
      await page.getByTitle(/^\d+ live, \d+ stale/).waitFor();
      expect(await headerFaults(page)).toEqual([]);
    }
  });

  it('header without a connection: in one line on a phone, too', async () => {
    const { page, context } = await visits.open(`${servers.operator}/#/venues`, { viewport: PHONE });
    await page.getByTitle(/^\d+ live, \d+ stale/).waitFor();
    await context.setOffline(true);
    await page.getByText('offline', { exact: true }).waitFor();
    const faults = await headerFaults(page);
    await context.setOffline(false);
    expect(faults).toEqual([]);
  });

  it('views behind a button: opened, chosen, closed by Escape', async () => {
    const made = await visits.open(`${servers.public}/#/venues`, { viewport: PHONE });
    const { page } = made;
    const views = page.getByRole('navigation', { name: 'Views' });
    const menu = views.getByRole('button', { name: 'Views' });
    await menu.click();
    await expectSound(made);
    await views.getByRole('link', { name: 'Quality' }).press('Escape');
    await views.getByRole('link').first().waitFor({ state: 'hidden' });
    await menu.click();
    await views.getByRole('link', { name: 'Quality' }).click();
    await untilPlace(page, (hash) => hash === '#/quality');
    await views.getByRole('link').first().waitFor({ state: 'hidden' });
  });

  it('rows as cards: the table of a wide window to those who hear it', async () => {
    const seen: unknown[] = [];
    for (const viewport of [DESK, PHONE]) {
      const made = await visits.open(`${servers.operator}/#/venues`, { viewport });
      const table = made.page.getByRole('table', { name: VENUES });
      const count = (role: Parameters<Page['getByRole']>[0]) => table.getByRole(role).count();
      await table.waitFor();
      const texts = await tableTexts(made.page, VENUES);
      const ages = texts[0]?.flatMap((title, at) => (/^(Since|Age)/.test(title) ? [at] : [])) ?? [];
      seen.push([
        ...[await count('row'), await count('columnheader'), await count('rowheader'), await count('cell')],
        texts.map((row) => row.filter((_, at) => !ages.includes(at))),
      ]);
      await expectSound(made);
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  it('cards: ordered by a choice, both ways', async () => {
    const { page } = await visits.open(`${servers.operator}/#/venues`, { viewport: PHONE });
    const names = async () => (await tableTexts(page, VENUES)).slice(1).map(([name]) => name);
    const before = await names();
    const part = page.getByRole('region', { name: VENUES });
    await part.getByRole('button', { name: /^Turn the order/ }).click();
    await untilPlace(page, (hash) => hash.includes('sort.venues=-venue'));
    expect(await names()).toEqual(before.toReversed());
    await part.getByLabel('Order').selectOption('Contracts');
    await untilPlace(page, (hash) => hash.includes('sort.venues=-contracts'));
  });

  it.each([
    ...['', 'matrix?table=1', 'heatmap?table=1', 'asset?ticker=BTC', 'venues', 'quality'],
    ...['quality?section=units', 'pair?ticker=BTC&short=binance&long=bybit', 'carry'],
    ...['asset?ticker=BTC&market=spot', 'pair?ticker=BTC&short=binance&long=spot:bybit'],
  ])('#/%s on a phone: no table is wider than the window', async (place) => {
    const { page } = await visits.open(`${servers.operator}/#/${place}`, { viewport: PHONE });
    await page.getByRole('table').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    // The contents of a closed part have no layout that could be measured.
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
    const wide = await page.evaluate(
      `[...document.querySelectorAll('section.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`,
    );
    expect(wide).toEqual([]);
  });
});
