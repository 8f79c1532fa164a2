import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { hasChromium } from './browser.ts';
import { atExampleTime, type PageServers, servePage } from './page-servers.ts';
import { expectSound, openVisits, type Visits } from './visit.ts';

/** Puts the end of all kept purchases into the past, as if a day had gone by. */
async function passDay(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('perpmeter-purchases', 1);
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const change = opened.result.transaction('purchases', 'readwrite');
      change.oncomplete = () => resolve(opened.result.close());
      change.onabort = () => reject(change.error);
      change.objectStore('purchases').openCursor().onsuccess = ({ target: { result: cursor } }) => {
        cursor?.update({ ...cursor.value, dropAt: 0 });
        cursor?.continue();
      };
    };
  })`);
}

/** Rows of more than four pages: for fewer the bundle costs more than its pages. */
const MANY_ROWS = Array.from({ length: 4100 }, (_, at) =>
  exampleRow({ venue: 'okx', ticker: `A${at}`, hours: 8, mark: 1, rate: at / 1e7 }),
);

/** Collects what the demo's wallet is asked to sign. */
function signaturesOf(page: Page): string[] {
  const signed: string[] = [];
  page.on('request', (request) => {
    const asked = request.url().endsWith('/demo/wallet') ? (request.postData() ?? '') : '';
    if (asked.includes('eth_signTypedData_v4')) signed.push(asked);
  });
  return signed;
}

describe.skipIf(!hasChromium)('a view bought as a whole in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage();
    visits = await openVisits();
  });
  // A page that is left open reads on, and one whose service is gone tries again.
  afterEach(() => visits.closeAlone());
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('an asset: one signature for all, a cap that fits, kept over a reload', async () => {
    const { taken } = servers.example.paywall;
    const made = await visits.openAlone(`${servers.public}/#/asset?ticker=BTC`, atExampleTime);
    const { page } = made;
    const signed = signaturesOf(page);
    await page.getByText(/^Buy this view: 5 calls at once/).click();
    const sale = page.getByRole('region', { name: 'For sale: This view', exact: true });
    const cap = sale.getByLabel('Cap of this tab, USD');
    await cap.fill('0.01');
    await sale.getByRole('button', { name: /^Raise the cap to/ }).click();
    await expectSound(made);
    const pay = sale.getByRole('button', { name: 'Pay $0.04' });
    expect(await sale.locator('h2').textContent()).toBe('This view: one call, $0.040');
    await pay.click();
    const contracts = page.getByRole('table', { name: 'BTC on each venue' });
    await contracts.waitFor();
    await page.getByRole('table', { name: 'Cost of trading BTC by size' }).waitFor();
    await page.getByText(/^Buy this view/).waitFor({ state: 'detached' });
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(signed).toHaveLength(1);
    expect(taken.map(({ resource }) => resource)).toEqual(['/v1/bundles/asset?ticker=BTC']);
    await page.reload();
    await contracts.waitFor();
    await page
      .getByText(/kept in this browser until/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(taken).toHaveLength(1);
    await expectSound(made);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the receipt' }).first().click(),
    ]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      url: `${servers.public}/v1/bundles/asset?ticker=BTC`,
    });
    // The same part in the view of single calls: its receipt is that of the bundle.
    await page.evaluate("location.hash = '#/buy?route=perp-snapshot&p.ticker=BTC'");
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('/v1/bundles/asset?ticker=BTC').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      receipt.getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toBe(await readFile(await download.path(), 'utf8'));
    await page.goBack();
    await page.getByRole('button', { name: 'Renew' }).first().click();
    await page.getByRole('region', { name: 'For sale: The snapshot of BTC' }).waitFor();
    await page.getByText(/^Buy this view/).click();
    await sale.getByRole('button', { name: 'Raise the cap to $0.08' }).click();
    await pay.click();
    await contracts.waitFor();
    expect([taken.length, signed.length]).toEqual([2, 2]);
  });

  it('a bundle that is dearer: call by call, each by its own payment', async () => {
    const { taken } = servers.example.paywall;
    const before = taken.length;
    const { page } = await visits.openAlone(`${servers.public}/#/asset?ticker=ETH&v=binance`, atExampleTime);
    await page.getByText(/^Buy this view: 7 calls at once/).click();
    // Its bundle costs more than these seven calls.
    const sale = page.getByRole('region', { name: 'For sale: This view', exact: true });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.035' }).click();
    await page.getByRole('table', { name: 'ETH on each venue' }).waitFor();
    await page.getByText(/^Buy this view/).waitFor({ state: 'detached' });
    expect(taken.length - before).toBe(7);
  });

  it('a part is away for now: none is taken, and the others one by one', async () => {
    const { taken, deliveries } = servers.example.paywall;
    const before = [taken.length, deliveries.length];
    const { page } = await visits.openAlone(`${servers.public}/#/asset?ticker=NORATE`, atExampleTime);
    await page.getByText(/^Buy this view: 5 calls at once/).click();
    const sale = page.getByRole('region', { name: 'For sale: This view', exact: true });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.04' }).click();
    await sale.getByText(/^Not bought\. .*ticker=NORATE.* its other parts are sold by themselves/).waitFor();
    expect([taken.length, deliveries.length]).toEqual([(before[0] ?? 0) + 1, before[1]]);
    await page.getByText(/^Or call by call: 5 calls/).click();
    const apart = page.getByRole('region', { name: 'For sale: This view, call by call' });
    await apart.getByRole('button', { name: 'Pay $0.025' }).click();
    await page.getByRole('table', { name: 'NORATE on each venue' }).waitFor();
    await page
      .getByRole('region', { name: 'For sale: The snapshot of NORATE' })
      .waitFor({ state: 'detached' });
    expect(deliveries.length - (before[1] ?? 0)).toBe(1);
  });

  it('a pair: one signature for all', async () => {
    const { taken } = servers.example.paywall;
    const before = taken.length;
    const { page } = await visits.openAlone(
      `${servers.public}/#/pair?ticker=BTC&short=bybit&long=binance`,
      atExampleTime,
    );
    const signed = signaturesOf(page);
    await page.getByRole('region', { name: 'For sale: The snapshot of BTC' }).waitFor();
    // Its legs are not read before the snapshot, so that there is one call as yet.
    await page.getByText(/^Buy this view/).click();
    const sale = page.getByRole('region', { name: 'For sale: This view', exact: true });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.10' }).click();
    await page.getByRole('heading', { name: 'The spread against its own past' }).waitFor();
    await page
      .getByText(/kept in this browser until/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    expect(signed).toHaveLength(1);
    expect(taken.slice(before).map(({ resource }) => resource)).toEqual([
      '/v1/bundles/pair?long=binance&short=bybit&ticker=BTC',
    ]);
  });

  it('the matrix: one signature for all of its pages', async () => {
    const large = await servePage({ market: createFakeMarket(EXAMPLE_VENUES, MANY_ROWS) });
    const { page } = await visits.openAlone(`${large.public}/#/matrix?min_oi=0`, atExampleTime);
    const signed = signaturesOf(page);
    await page.getByRole('button', { name: 'Price of the whole table' }).click();
    const sale = page.getByRole('region', { name: 'For sale: The whole table', exact: true });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.005' }).click();
    await page.getByText(/^4,[0-9]+ assets, /).waitFor();
    await page.getByRole('region', { name: /^For sale/ }).waitFor({ state: 'detached' });
    const { taken } = large.example.paywall;
    await large.close();
    expect(signed).toHaveLength(1);
    expect(taken.map(({ resource }) => resource)).toEqual(['/v1/bundles/matrix']);
  });

  it('the receipt of a kept purchase: shown, saved, and gone after a day', async () => {
    const place = `${servers.public}/#/buy?route=perp-snapshot&p.ticker=ETH`;
    const { page } = await visits.openAlone(place, atExampleTime);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    const sale = page.getByRole('region', { name: 'For sale: This answer' });
    await sale.getByLabel('Cap of this tab, USD').fill('1');
    await sale.getByRole('button', { name: 'Pay $0.005' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.waitFor();
    const [transaction] = await receipt.locator('code').allTextContents();
    await page.reload();
    await receipt.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(saved.url).toContain('/v1/perp/snapshot?ticker=ETH');
    expect(saved.receipt?.transaction ?? 'none was named').toBe(transaction);
    await passDay(page);
    await page.reload();
    await page.getByRole('button', { name: 'Ask for the price' }).waitFor();
    await receipt.waitFor({ state: 'detached' });
  });
});
