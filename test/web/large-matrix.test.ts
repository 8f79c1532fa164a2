import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCurrent } from '../../src/products/rows/select.ts';
import { EXAMPLE_VENUES, exampleRow, exampleRows } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { hasChromium } from './browser.ts';
import { BUYER_KEY, type PageServers, servePage } from './page-servers.ts';
import { TestWallet } from './test-wallet.ts';
import { openVisits, tableTexts, untilPlace, type Visits } from './visit.ts';

const SIGN = 'eth_signTypedData_v4';
const ASSETS = 340;

/** More rows than a page of the funding table has, and more assets than a page of the matrix. */
const ROWS = [
  ...exampleRows(),
  ...Array.from({ length: ASSETS }, (_, at) =>
    ['binance', 'bybit', 'okx'].map((venue, place) =>
      exampleRow({
        venue,
        ticker: `A${String(at).padStart(3, '0')}`,
        hours: 8,
        mark: 1,
        rate: (((at * 7) % ASSETS) - place * at) / 1e7,
      }),
    ),
  ).flat(),
];

describe.skipIf(!hasChromium)('a large matrix in Chromium (skipped where there is none)', () => {
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    servers = await servePage({ mode: 'remote', market: createFakeMarket(EXAMPLE_VENUES, ROWS) });
    visits = await openVisits();
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
  });

  it('as a table is ordered over all of its pages by its titles', async () => {
    const tickers = ROWS.map(({ ticker }) => ticker).sort();
    const { page } = await visits.open(`${servers.operator}/#/matrix?min_oi=0&table=1&page=2`);
    const title = page.getByRole('columnheader', { name: /^Asset/ });
    const order = async (sort: string, said: string) => {
      await title.getByRole('button').click();
      await untilPlace(page, (hash) => hash === `#/matrix?min_oi=0&table=1&sort=${sort}`);
      // A worker orders the rows.
      await page.locator(`th[aria-sort=${said}]`, { hasText: /^Asset/ }).waitFor();
      return (await tableTexts(page, 'Funding matrix'))[1]?.[0];
    };
    expect(await order('asset', 'ascending')).toBe(tickers[0]);
    expect(await order('-asset', 'descending')).toBe(tickers.at(-1));
  });

  it('a page bought and one not: a part, and the rest for sale', async () => {
    const refusals: Record<string, { code: number; message: string }> = {};
    const wallet = new TestWallet(BUYER_KEY, refusals);
    const { page } = await visits.openAlone(`${servers.public}/#/matrix?min_oi=0&table=1`, wallet.install);
    await page.route('**/v1/funding/current?**&offset=0', async (route) => {
      // The wallet's requests after the first page is refused.
      if ('payment-signature' in route.request().headers())
        refusals[SIGN] = { code: 4001, message: 'User rejected the request.' };
      await route.continue();
    });
    await page.getByRole('button', { name: 'Price of the whole table' }).click();
    await page.getByRole('button', { name: 'Pay $0.002' }).click();
    const part = page.getByText('A part of the table.');
    await part.waitFor();
    await page.getByText('1 of its 2 calls not bought').waitFor();
    await page.getByText('Not bought. The wallet: User rejected the request.').waitFor();
    delete refusals[SIGN];
    const rest = page.getByRole('region', { name: 'For sale: The rest of the table' });
    await rest.getByRole('button', { name: 'Pay $0.001' }).click();
    await part.waitFor({ state: 'detached' });
    const assets = new Set(ROWS.filter(isCurrent).map(({ canonicalId }) => canonicalId)).size;
    await page.getByText(new RegExp(`^${assets} assets`)).waitFor();
    expect(servers.example.paywall.taken).toHaveLength(2);
    await visits.closeAlone();
  });
});
