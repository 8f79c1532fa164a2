import type { Page, Route } from 'playwright-core';
import { recoverTypedDataAddress } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SELLER } from '../api/example-api.ts';
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
  /** At the price of a call, with a wallet that nobody has asked for anything. */
  const ask = async (wallet: TestWallet): Promise<Page> => {
    const url = `${server.public}/#/buy?route=perp-snapshot&p.ticker=BTC`;
    const { page } = await visits.openAlone(url, wallet.install);
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
  });
  afterAll(async () => {
    await visits?.close();
    await server?.close();
  });

  it('sees price and receiver before the wallet is asked, which then signs exactly what the challenge asks for', async () => {
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

  it('does not pay above the cap, nor with what an earlier call has left of it', async () => {
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

  it('whose price has changed meanwhile pays nothing, and is asked at the new one', async () => {
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
