import type { Request } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SELLER } from '../api/example-api.ts';
import { exampleRow, exampleRows } from '../api/example-market.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { atExampleTime, BUYER_KEY, type PageServers, servePage } from './page-servers.ts';
import { TestWallet } from './test-wallet.ts';
import {
  expectSound,
  expectSoundInTheDark,
  openVisits,
  tableTexts,
  untilPlace,
  type Visits,
} from './visit.ts';
import { type Rate, widestNet } from './widest-net.ts';

const buyer = privateKeyToAccount(BUYER_KEY).address;

interface Signed {
  readonly payload: { readonly signature: string; readonly authorization: Readonly<Record<string, string>> };
  readonly accepted: { readonly amount: string; readonly payTo: string };
}

describe.skipIf(!hasChromium)('trading by the page in Chromium (skipped where there is none)', () => {
  let sandbox: PageServers;
  let visits: Visits;
  const read = async <Body>(path: string): Promise<Body> =>
    (await fetch(sandbox.operator + path)).json() as Promise<Body>;
  const paymentsOf = ({ example }: PageServers): readonly Signed[] =>
    example.paywall.taken.map(
      ({ paymentSignature = '' }) => JSON.parse(Buffer.from(paymentSignature, 'base64').toString()) as Signed,
    );

  beforeAll(async () => {
    sandbox = await servePage();
    visits = await openVisits();
  });
  afterEach(async () => {
    await visits.closeAlone();
    sandbox.example.paywall.taken.length = 0;
  });
  afterAll(async () => {
    await visits?.close();
    await sandbox?.close();
  });

  describe('a visitor of a demo', () => {
    it('buys a snapshot with the wallet of the demo, and sees what came', async () => {
      const made = await visits.open(`${sandbox.public}/#/buy?route=perp-snapshot&p.ticker=BTC`);
      const { page } = made;
      await page.getByText("The same with this service's client").click();
      const program = page.getByRole('region', { name: "The call with this service's client" });
      expect(await program.textContent()).toContain('await client.perpSnapshot({ ticker: "BTC" })');
      await page.getByRole('button', { name: 'Ask for the price' }).click();
      const sale = page.getByRole('region', { name: 'For sale: This answer' });
      await sale.getByText(SELLER.payTo, { exact: true }).waitFor();
      expect(await sale.textContent()).toContain('$0.005');
      await expectSound(made);
      await sale.getByRole('button', { name: 'Pay $0.005' }).click();
      await page.getByRole('region', { name: 'Receipt' }).waitFor();
      const { venues } = await read<{ venues: { venue: string; mark_price: number }[] }>(
        '/v1/perp/snapshot?ticker=BTC',
      );
      const [head = [], ...rows] = await tableTexts(page, "The answer's list");
      const venue = head.findIndex((name) => name.startsWith('venue'));
      const mark = head.indexOf('mark_price');
      expect(rows.map((row) => [row[venue], Number(row[mark])])).toEqual(
        venues.map((row) => [row.venue, row.mark_price]),
      );
      const [payment] = paymentsOf(sandbox);
      expect(payment?.payload.authorization).toMatchObject({ from: buyer, to: SELLER.payTo, value: '5000' });
      await expectSound(made);
    });

    it('no other wallet: sandbox signatures would be good elsewhere', async () => {
      let isKnown: (() => void) | undefined;
      const known = new Promise<void>((resolve) => {
        isKnown = resolve;
      });
      const { page } = await visits.openAlone(sandbox.public, new TestWallet(BUYER_KEY).install);
      await page.route('**/v1/health', async (route) => {
        await known;
        await route.continue();
      });
      await page.goto(`${sandbox.public}/#/buy?route=perp-snapshot`);
      await page.reload();
      await page.getByRole('button', { name: 'Ask for the price' }).click();
      // While the mode of the payments is not known, no wallet is offered at all.
      await page.getByText('Reading how payments are settled here').waitFor();
      expect(await page.getByLabel('Wallet').count()).toBe(0);
      isKnown?.();
      const options = page.getByLabel('Wallet').locator('option');
      await options.first().waitFor({ state: 'attached' });
      expect(await options.allTextContents()).toEqual(["The demo's wallet (play money)"]);
    });

    it('sees the whole matrix after paying for its pages', async () => {
      const { page } = await visits.open(`${sandbox.public}/#/matrix?min_oi=0&table=1`);
      await page.getByRole('button', { name: 'Price of the whole table' }).click();
      await page.getByRole('button', { name: /^Pay/ }).click();
      await page.getByText(/^(A sample|Free, and delayed)\.$/).waitFor({ state: 'detached' });
      const { total } = await read<{ total: number }>('/v1/funding/current?include_uncomparable=true');
      await until(async () => {
        const [, ...rows] = await tableTexts(page, 'Funding matrix');
        const cells = rows.flatMap((row) => row.slice(8, -1)).filter((text) => text !== 'not listed');
        expect(cells).toHaveLength(total);
      });
    });

    it('finds the widest net spread, buys it, and reads its history', async () => {
      // Here the page has the time of the example market; on the public port its rates are long stale.
      const { page: matrix } = await visits.open(`${sandbox.operator}/#/matrix?min_oi=0&table=1`);
      await matrix.getByLabel('Class').selectOption('crypto');
      await matrix.getByLabel('Open interest ≥ USD').fill('1000000');
      const table = matrix.getByRole('table', { name: 'Funding matrix' });
      await table.getByRole('button', { name: /^Net/ }).click();
      const { rates } = await read<{ rates: readonly Rate[] }>('/v1/funding/current?limit=1000');
      const ticker = widestNet(rates, await read('/v1/venues/list'));
      await table.locator('tbody tr').first().getByRole('rowheader', { name: ticker, exact: true }).waitFor();
      const { page } = await visits.openAlone(`${sandbox.public}/#/asset?ticker=${ticker}`, atExampleTime);
      const pay = (what: RegExp) =>
        page.getByRole('region', { name: what }).getByRole('button', { name: /^Pay/ }).click();
      await pay(/For sale: The snapshot/);
      await page.getByRole('table', { name: `${ticker} on each venue` }).waitFor();
      await pay(/For sale: The funding history/);
      await page.getByRole('heading', { name: /^Funding %/ }).waitFor();
    });

    it('buys what a pair would have earned, and pays for nothing twice', async () => {
      const url = `${sandbox.public}/#/pair?ticker=BTC&short=okx&long=binance`;
      const { page } = await visits.openAlone(url, atExampleTime);
      const sale = (what: RegExp) => page.getByRole('region', { name: what });
      const pay = (what: RegExp) => sale(what).getByRole('button', { name: /^Pay/ }).click();
      await pay(/For sale: The snapshot/);
      const earned = /For sale: What okx short, binance long would have earned/;
      await sale(earned).getByText('3 calls, $0.15').waitFor();
      await sale(earned).getByText('The cap leaves').waitFor();
      await sale(earned).getByLabel('Cap of this tab, USD').fill('1');
      await pay(earned);
      const table = page.getByRole('table', { name: 'Earnings of the pair by time held' });
      await table.waitFor();
      const paths = () => sandbox.example.paywall.taken.length;
      const paid = paths();
      expect(paid).toBe(4);
      await page.goto(`${sandbox.public}/#/venues`);
      await page.getByRole('heading', { name: 'Venues' }).waitFor();
      await page.goto(url);
      await table.waitFor();
      expect(paths()).toBe(paid);
      await pay(/For sale: The funding history of the pair/);
      await page.getByRole('heading', { name: /^Distribution of the spread/ }).waitFor();
      await pay(/For sale: The statistics of the spread/);
      await page.getByRole('table', { name: 'The spread against its past' }).waitFor();
    });

    it('sees the view of an asset after paying for it', async () => {
      const { page } = await visits.open(`${sandbox.public}/#/asset?ticker=ETH`);
      await page
        .getByRole('region', { name: /For sale: The snapshot/ })
        .getByRole('button', { name: /^Pay/ })
        .click();
      await page.getByRole('table', { name: 'ETH on each venue' }).waitFor();
    });
  });

  describe('a trader on the operator’s port', () => {
    it('reads every venue of an asset, with the numbers of the interface', async () => {
      const made = await visits.open(`${sandbox.operator}/#/asset?ticker=BTC&sort.venues=venue`);
      await made.page.getByRole('table', { name: 'BTC on each venue' }).waitFor();
      const { venues } = await read<{ venues: { venue: string; basis_bps: number | null }[] }>(
        '/v1/perp/snapshot?ticker=BTC',
      );
      const [head = [], ...rows] = await tableTexts(made.page, 'BTC on each venue');
      const basis = head.findIndex((name) => name.startsWith('Basis'));
      const written = (value: number | null): string =>
        value === null ? '–' : `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(2)}`;
      expect(rows.map((row) => [row[0], row[basis]])).toEqual(
        venues
          .toSorted((a, b) => a.venue.localeCompare(b.venue))
          .map((row) => [row.venue, written(row.basis_bps)]),
      );
      await made.page.getByRole('heading', { name: /^Funding/ }).waitFor();
      await expectSound(made);
    });

    it('is asked which asset is meant where a ticker names two', async () => {
      const { page } = await visits.open(`${sandbox.operator}/#/asset?ticker=SPX`);
      await page.getByRole('link', { name: 'index:SPX' }).first().click();
      await untilPlace(page, (hash) => hash.includes('index:SPX'));
      await page.getByRole('table', { name: 'SPX on each venue' }).waitFor();
    });

    it('sees a pair with both legs as the interface has them, and swaps them', async () => {
      const made = await visits.open(`${sandbox.operator}/#/pair?ticker=BTC&short=bybit&long=hyperliquid`);
      const { page } = made;
      const { venues } = await read<{ venues: { venue: string; rate_8h: number }[] }>(
        '/v1/perp/snapshot?ticker=BTC',
      );
      const rate = (name: string): number =>
        venues.find(({ venue }) => venue === name)?.rate_8h ?? Number.NaN;
      const spread = (rate('bybit') - rate('hyperliquid')) * 100;
      await page
        .getByText(`${spread > 0 ? '+' : '−'}${Math.abs(spread).toFixed(4)}`)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Swap' }).click();
      await untilPlace(page, (hash) => hash.includes('short=hyperliquid&long=bybit'));
      await page
        .getByText(`${spread > 0 ? '−' : '+'}${Math.abs(spread).toFixed(4)}`)
        .first()
        .waitFor();
      await page.getByRole('table', { name: 'Earnings of the pair by time held' }).waitFor();
      await expectSound(made);
    });

    it('no finding in any view, dark or narrow', async () => {
      const { operator } = sandbox;
      const made = await visits.open(`${operator}/#/venues`);
      await made.page.locator('main table').first().waitFor();
      await expectSound(made);
      const places = ['#/asset?ticker=BTC', '#/pair?ticker=BTC', '#/venues', '#/buy?route=orderbook-depth'];
      await expectSoundInTheDark(
        visits,
        places.map((place) => `${operator}/${place}`),
      );
    });
  });

  describe('the two ports', () => {
    it('before the token: nothing; then rows as they change', async () => {
      const closed = await servePage({}, 'secret');
      const { page } = await visits.open(`${closed.operator}/#/matrix?min_oi=0&table=1&q=IOTX`);
      const asked: Request[] = [];
      page.on('request', (request) => asked.push(request));
      const streams = () => asked.filter((request) => request.url().endsWith('/v1/stream/rows'));
      const field = page.getByLabel('Token');
      await field.fill('wrong');
      await page.getByRole('button', { name: 'Continue' }).click();
      await field.fill('secret');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('table', { name: 'Funding matrix' }).waitFor();
      const isTable = (request: Request): boolean => request.url().includes('/v1/funding/current');
      const before = asked.filter(isTable).length;
      const become = async (rate: number, text: string): Promise<void> => {
        const changed = exampleRow({ venue: 'binance', ticker: 'IOTX', rate, hours: 8, mark: 0.0312 });
        const others = exampleRows().filter(({ venue, ticker }) => venue !== 'binance' || ticker !== 'IOTX');
        closed.example.market.replace([...others, changed]);
        await page.getByRole('cell', { name: text, exact: true }).first().waitFor();
      };
      await become(0.0009, '+0.0900');
      closed.cut();
      await become(0.0008, '+0.0800');
      const [first, again] = (await Promise.all(streams().map((stream) => stream.allHeaders()))).slice(-2);
      expect(first).toMatchObject({ authorization: 'Bearer secret' });
      expect(again?.['last-event-id']).toMatch(/-1$/);
      const paths = asked.map((request) => request.url());
      // Payments are asked for once; rates are not.
      expect(asked.filter(isTable)).toHaveLength(before);
      expect([...paths, page.url()].filter((url) => url.includes('secret'))).toEqual([]);
      await closed.close();
    });

    it('have the view of the operator on its own port only', async () => {
      const { page } = await visits.open(`${sandbox.public}/#/operator`);
      await page.getByRole('heading', { name: 'No such view' }).waitFor();
      expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
    });
  });
});
