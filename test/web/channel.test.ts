import { buildSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDemoWallet } from '../../src/modules/demo/wallet.ts';
import { createWalletChain } from '../../src/modules/demo/wallet-chain.ts';
import type { Rpc } from '../../src/pay/rpc.ts';
import { type ChannelService, startChannelService } from '../client/channels/rig.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { builtPage } from './page-servers.ts';
import { openVisits, type Visits } from './visit.ts';

const CALL = 'route=funding-current&p.symbol=';

describe.skipIf(!hasChromium)('a visitor who pays by channel (skipped without Chromium)', () => {
  let service: ChannelService;
  let visits: Visits;
  beforeAll(async () => {
    // The page is made before the chain is known here.
    const rpc: Rpc = (method, params) => service.chain.rpc(method, params);
    service = await startChannelService((seller, key) => ({
      page: builtPage(),
      mounts: [{ connect: () => createDemoWallet(key, seller, createWalletChain(rpc)) }],
    }));
    visits = await openVisits();
  });
  afterEach(() => visits.closeAlone());
  afterAll(async () => {
    await visits?.close();
    await service?.stop();
  });

  /** At the price of a call. */
  const ask = async (page: Page, symbol: string): Promise<void> => {
    await page.goto(`${service.url}/#/buy?${CALL}${symbol}`);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    await page.getByRole('button', { name: 'Pay $0.001' }).waitFor();
  };
  const choice = (page: Page) => page.getByRole('checkbox', { name: /By a payment channel/ });
  const pay = async (page: Page): Promise<string | null> => {
    await page.getByRole('button', { name: 'Pay $0.001' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.waitFor();
    return receipt.textContent();
  };
  const panel = (page: Page) => page.getByRole('region', { name: 'Payment channel' });

  it('chosen: one signature, vouchers over tabs, and a refund', async () => {
    const { page } = await visits.openAlone(`${service.url}/#/buy`);
    const signed: string[] = [];
    page.context().on('request', (request) => {
      const asked = request.url().endsWith('/demo/wallet') ? (request.postData() ?? '') : '';
      if (asked.includes('eth_signTypedData_v4')) signed.push(asked);
    });
    const before = await service.transactions();
    await ask(page, 'BTC');
    expect(await choice(page).isChecked()).toBe(false);
    expect(await panel(page).count()).toBe(0);
    await choice(page).check();
    expect(await pay(page)).toMatch(/Transaction0x[0-9a-f]{64}/);
    await ask(page, 'ETH');
    expect(await choice(page).isChecked()).toBe(true);
    expect(await pay(page)).toContain('none: paid by a voucher of the channel');
    expect((await service.transactions()) - before).toBe(1);
    expect(await panel(page).textContent()).toMatch(/Deposited\$0\.\d+Spent\$0\.002Left\$0\.\d+/);
    // Another tab of the same browser goes on with it.
    const next = await page.context().newPage();
    await ask(next, 'SOL');
    await choice(next).check();
    if (process.env.CHANNEL_SHOT !== undefined)
      await next.screenshot({ path: `${process.env.CHANNEL_SHOT}-before.png`, fullPage: true });
    expect(await pay(next)).toContain('none: paid by a voucher of the channel');
    if (process.env.CHANNEL_SHOT !== undefined)
      await next.screenshot({ path: `${process.env.CHANNEL_SHOT}.png`, fullPage: true });
    expect(await panel(next).textContent()).toMatch(/Spent\$0\.003/);
    await next.close();
    await panel(page)
      .getByRole('button', { name: /Close and refund/ })
      .click();
    await panel(page)
      .getByText(/came back by 0x[0-9a-f]{64}/)
      .waitFor();
    // The deposit: three calls, two tabs and the refund were signed by the key of the browser.
    expect(signed).toEqual([expect.stringContaining('ReceiveWithAuthorization')]);
  });

  it('not chosen: two transactions, and the third call proposes it', async () => {
    const { page } = await visits.openAlone(`${service.url}/#/buy`);
    for (const symbol of ['BTC', 'ETH']) {
      await ask(page, symbol);
      expect(await choice(page).isChecked()).toBe(false);
      expect(await pay(page)).toMatch(/Transaction0x[0-9a-f]{64}/);
    }
    await ask(page, 'SOL');
    expect(await choice(page).isChecked()).toBe(true);
    await choice(page).uncheck();
    expect(await pay(page)).toMatch(/Transaction0x[0-9a-f]{64}/);
  });

  it('two tabs that change a channel at once: one of them wins', async () => {
    const { page } = await visits.openAlone(`${service.url}/#/buy`);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/#/buy`);
    const store = `import('/store.js').then(({ browserChannels }) => browserChannels)`;
    for (const tab of [page, other]) {
      await tab.route('**/store.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: storeScript() }),
      );
    }
    const save = (tab: Page, version: number, signed: string) =>
      tab.evaluate(
        `${store}.then((channels) => channels.save({ id: '0x1', version: ${version}, signed: '${signed}' }))`,
      );
    for (let version = 1; version <= 5; version++) {
      const saved = await Promise.all([save(page, version, 'one'), save(other, version, 'two')]);
      expect(saved.filter((isSaved) => isSaved)).toHaveLength(1);
      const [kept] = (await other.evaluate(`${store}.then((channels) => channels.load())`)) as {
        signed: string;
      }[];
      expect(kept?.signed).toBe(saved[0] === true ? 'one' : 'two');
    }
    expect(await save(page, 9, 'late')).toBe(false);
  });

  // The last one: it moves the time of the chain.
  it('cleared data of the site: the channel is found, and withdrawn', async () => {
    const { page } = await visits.openAlone(`${service.url}/#/buy`);
    await ask(page, 'BTC');
    await choice(page).check();
    await pay(page);
    const [, deposited = ''] = /Deposited\$(0\.\d+)Spent/.exec((await panel(page).textContent()) ?? '') ?? [];
    for (const name of ['perpmeter-channels', 'perpmeter-channel-keys']) {
      expect(await page.evaluate(removed(name))).toBe(true);
    }
    await page.reload();
    await page.getByText('A payment channel is missing here').click();
    expect(await panel(page).count()).toBe(0);
    const find = page.getByRole('button', { name: 'Find lost channels' });
    await find.click();
    const lost = page.getByRole('region', { name: 'Lost channel' });
    await lost.waitFor();
    expect(await lost.textContent()).toContain(`$${deposited} in the channel`);
    await lost.getByRole('button', { name: 'Request the withdrawal' }).click();
    await lost.getByText(/^Sent: 0x/).waitFor();
    await find.click();
    await lost.getByText(`A withdrawal of $${deposited} is requested`).waitFor();
    const { chain } = service;
    const before = await chain.balanceOf(chain.buyer.address);
    await chain.rpc('evm_increaseTime', [31 * 86_400]);
    await lost.getByRole('button', { name: 'Finish the withdrawal' }).click();
    // The seller may have claimed what was bought before.
    const whole = BigInt(Math.round(Number(deposited) * 1e6));
    await until(async () =>
      expect([whole, whole - 1_000n]).toContain((await chain.balanceOf(chain.buyer.address)) - before),
    );
    await find.click();
    await page.getByText('No other channel of this wallet was found.').waitFor();
  });
});

/** Removes a database while the page has it open, as a browser does with the data of a site; false where that is kept from it. */
const removed = (name: string): string => `new Promise((resolve) => {
  const request = indexedDB.deleteDatabase('${name}');
  request.onsuccess = () => resolve(true);
  request.onerror = () => resolve(false);
})`;

/** The page's store of channels as a script of its own. */
function storeScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: ['web/pay/channel-store.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    tsconfigRaw: '{}',
  });
  return outputFiles[0]?.text ?? '';
}
