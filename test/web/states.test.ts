import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from './browser.ts';
import { type PageServers, servePage } from './page-servers.ts';
import { expectSound, openVisits, tableTexts, type Visits } from './visit.ts';

const SNAPSHOT = '**/v1/perp/snapshot**';
const BOOKS = /multi-venue-slippage.*size_usd=5000/;

/** Answers what the page asks for as a service that is busy. */
const shed = (page: Page, path: string | RegExp) =>
  page.route(path, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '60' },
      body: JSON.stringify({ title: 'Overloaded', detail: 'Come back in a minute.' }),
    }),
  );

describe.skipIf(!hasChromium)('reads of the page in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;
  const open = (place: string, prepare: (page: Page) => Promise<unknown>) =>
    visits.openAlone(`${servers.operator}/#/${place}`, async (page) => {
      await prepare(page);
    });
  const contracts = (page: Page) => page.getByRole('table', { name: /^BTC on each venue/ });

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  afterEach(() => visits.closeAlone());
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('a read that failed waits as long as it was asked to', async () => {
    const made = await open('asset?ticker=BTC', async (page) => {
      await page.clock.install();
      await shed(page, SNAPSHOT);
    });
    const { page } = made;
    await page.getByRole('heading', { name: 'Overloaded' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).first().isDisabled()).toBe(true);
    await page.getByText('and not before: the service has asked for it').first().waitFor();
    await page.unroute(SNAPSHOT);
    await page.clock.fastForward(30_000);
    expect(await contracts(page).count()).toBe(0);
    await page.clock.fastForward(31_000);
    await contracts(page).waitFor();
    expect(await page.getByRole('heading', { name: 'Overloaded' }).count()).toBe(0);
  });

  it('a read without a connection is tried again by a button', async () => {
    const { page } = await open('asset?ticker=BTC', async (made) => {
      await made.clock.install();
      await made.route(SNAPSHOT, (route) => route.abort());
    });
    await page.getByRole('heading', { name: 'No connection to the service' }).waitFor();
    await page.unroute(SNAPSHOT);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await contracts(page).waitFor();
  });

  it('calls that are shown together: those that are there, and why', async () => {
    const made = await open('asset?ticker=BTC', (page) => shed(page, BOOKS));
    const { page } = made;
    await page.getByText('2 of 3 calls of the sized costs of BTC are read. Overloaded').waitFor();
    const [head = [], ...rows] = await tableTexts(page, 'Cost of trading BTC by size');
    const at = (title: string) => head.findIndex((text) => text.startsWith(title));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row[at('Slippage $5K')]).toBe('–');
      expect(row[at('Slippage $10K')]).toMatch(/^\d/);
    }
    made.faults.length = 0;
    await expectSound(made);
  });

  it('parts that show the same path ask for it once', async () => {
    const asked: string[] = [];
    const { page } = await open('', async (made) => {
      made.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await made.clock.install();
    });
    await page.getByRole('table', { name: 'Price list' }).waitFor();
    const calls = (path: string): number => asked.filter((name) => name === path).length;
    const once = ['/v1/health', '/v1/pricing/changelog', '/openapi.json'].map(calls);
    expect(once).toEqual([1, 1, 0]);
    const next = page.waitForRequest('**/v1/health');
    await page.clock.fastForward(5100);
    await next;
    expect(calls('/v1/health')).toBe(2);
  });
});
