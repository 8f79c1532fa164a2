import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { recoverTypedDataAddress } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SELLER } from '../api/example-api.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { BUYER_KEY, type PageServers, servePage } from './page-servers.ts';
import { TestWallet } from './test-wallet.ts';
import { openVisits, type Visits } from './visit.ts';

interface Signed {
  readonly payload: {
    readonly signature: `0x${string}`;
    readonly authorization: Readonly<Record<string, string>>;
  };
  readonly accepted: { readonly amount: string; readonly payTo: string };
}

const SIGN = 'eth_signTypedData_v4';
const SOLD = '**/v1/perp/snapshot**';
const isPaid = (route: Route): boolean => 'payment-signature' in route.request().headers();

describe.skipIf(!hasChromium)('a buyer with a wallet in Chromium (skipped where there is none)', () => {
  let server: PageServers;
  let visits: Visits;
  const paid = (): readonly Signed[] =>
    server.example.paywall.taken.map(
      ({ paymentSignature = '' }) => JSON.parse(Buffer.from(paymentSignature, 'base64').toString()) as Signed,
    );
  const SNAPSHOT = 'route=perp-snapshot&p.ticker=BTC';
  /** At the price of a call, with a wallet that nobody has asked for anything. */
  const ask = async (wallet: TestWallet, call = SNAPSHOT): Promise<Page> => {
    const { page } = await visits.openAlone(`${server.public}/#/buy?${call}`, wallet.install);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    await page.getByText(SELLER.payTo, { exact: true }).waitFor();
    return page;
  };
  const pay = (page: Page, price = '$0.005') => page.getByRole('button', { name: `Pay ${price}` });
  const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' });

  beforeAll(async () => {
    server = await servePage({ mode: 'remote' });
    visits = await openVisits();
  });
  afterEach(async () => {
    await visits.closeAlone();
    server.example.paywall.taken.length = 0;
    server.example.paywall.hold = undefined;
  });
  afterAll(async () => {
    await visits?.close();
    await server?.close();
  });

  it('price and receiver: seen before the wallet signs just that', async () => {
    const wallet = new TestWallet(BUYER_KEY);
    const page = await ask(wallet);
    expect(wallet.asked).toEqual([]);
    await pay(page).click();
    await receipt(page).waitFor();
    const typed = JSON.parse(wallet.signed[0] ?? '');
    const { domain, message, primaryType } = typed;
    expect(primaryType).toBe('TransferWithAuthorization');
    expect(domain).toEqual({
      name: SELLER.assetName,
      version: SELLER.assetVersion,
      chainId: 8453,
      verifyingContract: SELLER.asset,
    });
    const [payment] = paid();
    expect(payment?.payload.authorization).toEqual(message);
    expect(message).toMatchObject({ from: wallet.address, to: SELLER.payTo, value: '5000' });
    expect(Number(message.validBefore)).toBeLessThanOrEqual(Date.now() / 1000 + 60);
    expect(payment?.accepted).toMatchObject({ amount: '5000', payTo: SELLER.payTo });
    const signature = payment?.payload.signature ?? '0x';
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(wallet.address);
  });

  it('on another network is asked to change it, and pays on the right one', async () => {
    const wallet = new TestWallet(BUYER_KEY);
    wallet.chain = '0x1';
    const page = await ask(wallet);
    await pay(page).click();
    await receipt(page).waitFor();
    expect(wallet.asked).toEqual([
      ...['eth_requestAccounts', 'eth_chainId', 'wallet_switchEthereumChain', SIGN],
    ]);
  });

  it.each([
    ['stays on another network', 'wallet_switchEthereumChain', 4902, 'Unrecognized chain ID'],
    ['rejects the signature', SIGN, 4001, 'User rejected the request.'],
  ])('that %s has bought and spent nothing, and is told why', async (_what, method, code, message) => {
    const wallet = new TestWallet(BUYER_KEY, { [method]: { code, message } });
    wallet.chain = '0x1';
    const page = await ask(wallet);
    await pay(page).click();
    await page.getByText(`Not bought. The wallet: ${message}`).waitFor();
    expect([wallet.signed, paid()]).toEqual([[], []]);
    await page.getByText('left of the cap: $0.05').waitFor();
    expect(await pay(page).isEnabled()).toBe(true);
  });

  it('leaves the view while paying: found again, signed once', async () => {
    const wallet = new TestWallet(BUYER_KEY);
    const page = await ask(wallet);
    let settle: (() => void) | undefined;
    server.example.paywall.hold = new Promise((resolve) => {
      settle = resolve;
    });
    await pay(page).click();
    await until(() => expect(paid()).toHaveLength(1));
    await page.goto(`${server.public}/#/venues`);
    await page.getByRole('heading', { name: 'Venues', exact: true }).waitFor();
    await page.goto(`${server.public}/#/buy?${SNAPSHOT}`);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    const button = page.locator('button.primary', { hasText: /^Pay/ });
    await button.waitFor();
    expect([await button.textContent(), await button.isDisabled()]).toEqual(['Paying …', true]);
    settle?.();
    await receipt(page).waitFor();
    expect([wallet.signed.length, paid().length]).toEqual([1, 1]);
  });

  it.each(['csv', 'parquet'])('of a %s file saves it byte for byte as it was sold', async (format) => {
    const query = {
      venue: 'binance',
      ticker: 'BTC',
      granularity: '4h',
      format,
      from: '2026-11-20T08:00:00Z',
      to: '2026-11-20T16:00:00Z',
    };
    const call = Object.entries(query).map(([name, value]) => `p.${name}=${value}`);
    const page = await ask(new TestWallet(BUYER_KEY), ['route=backtest-data', ...call].join('&'));
    await pay(page, '$0.05').click();
    const name = `binance_BTC_4h_2026-11-20T0800Z_2026-11-20T1600Z.${format}`;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Save ${name}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    const answer = await fetch(`${server.operator}/v1/backtest/data?${new URLSearchParams(query)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
    expect(await page.getByRole('button', { name: 'json', exact: true }).count()).toBe(0);
    const shown = page.getByRole('region', { name: 'The file' });
    expect(await shown.count()).toBe(format === 'csv' ? 1 : 0);
    if (format === 'csv') expect(await shown.textContent()).toContain('ts,venue,ticker,venue_symbol');
  });

  it('above the cap, or above its rest: not paid', async () => {
    const wallet = new TestWallet(BUYER_KEY);
    const page = await ask(wallet);
    const cap = page.getByLabel('Cap of this tab, USD');
    await cap.fill('0.004');
    await page.getByText('The cap leaves $0.004').waitFor();
    expect([await pay(page).isDisabled(), wallet.asked]).toEqual([true, []]);
    await cap.fill('0.009');
    await pay(page).click();
    await receipt(page).waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('The cap leaves $0.004, and this costs $0.005.').waitFor();
    expect([await pay(page).isDisabled(), paid().length]).toEqual([true, 1]);
  });

  it('a changed price: nothing paid, and asked at the new one', async () => {
    const wallet = new TestWallet(BUYER_KEY);
    const page = await ask(wallet);
    await page.route(SOLD, async (route) => {
      const headers = { ...route.request().headers() };
      delete headers['payment-signature'];
      const response = await route.fetch({ headers });
      const challenge = Buffer.from(response.headers()['payment-required'] ?? '', 'base64').toString();
      const dearer = Buffer.from(challenge.replaceAll('"5000"', '"7000"')).toString('base64');
      await route.fulfill({ response, headers: { ...response.headers(), 'payment-required': dearer } });
    });
    await pay(page).click();
    await page.getByText('Not bought. The price is $0.007 now; nothing was taken.').waitFor();
    await pay(page, '$0.007').waitFor();
    expect(paid()).toEqual([]);
  });

  it.each([
    ['the connection breaks', (route: Route) => route.abort(), 'The connection broke'],
    [
      'it is not known whether it was settled',
      (route: Route) => route.fulfill({ status: 503, json: { detail: 'The settlement is unknown.' } }),
      'The settlement is unknown.',
    ],
  ])('presents the same payment again where %s, and signs no second one', async (_what, answer, said) => {
    const wallet = new TestWallet(BUYER_KEY);
    const page = await ask(wallet);
    await page.route(SOLD, (route) => (isPaid(route) ? answer(route) : route.continue()));
    await pay(page).click();
    await page.getByText(`Not answered yet. ${said}`).waitFor();
    await page.unroute(SOLD);
    await page.getByRole('button', { name: 'Present the payment again' }).click();
    await receipt(page).waitFor();
    expect(wallet.asked.filter((method) => method === SIGN)).toHaveLength(1);
    expect(paid()[0]?.payload.authorization).toEqual(JSON.parse(wallet.signed[0] ?? '').message);
  });
});
