import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newRecord } from '../../src/modules/watch/desk.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { exampleRows, rowsAtRate } from '../api/example-market.ts';
import { atOnce } from '../at-once.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { OPERATOR_DOCUMENTS } from './operator-example.ts';
import { atExampleTime, BUYER_KEY, type PageServers, servePage } from './page-servers.ts';
import { CONDITION } from './page-tasks-watch.ts';
import { expectSound, openVisits, tableTexts, untilPlace, type Visit, type Visits } from './visit.ts';
import { type WatchedExample, watchedExample } from './watched-example.ts';

const ASKED = '#/watch?p.kind=funding&p.ticker=BTC&p.venue=binance&p.above=0.001';
const MINE = 'My watches';
const WORDS = 'funding of BTC on binance above 0.1 % per eight hours';

const FAILING = {
  state: { state: 'unproven', waiting: 2, delivered: 0, failed: 0, lastError: 'HTTP 404' },
  view: {
    host: 'hooks.example.com',
    challenge: 'failed',
    delivered: 0,
    failed: 0,
    lastSuccessAt: undefined,
    lastFailure: undefined,
    nextTryAt: undefined,
    givenUp: [],
  },
} as const;
const RULE = { name: 'mine', watchId: 'rule-mine', fault: 'no venue lists it' };

/** Stands in for the notices of a browser, which Chromium does not show without a window. */
const NOTICES = `
  window.shownNotices = [];
  window.Notification = class {
    static permission = 'default';
    static requestPermission = async () => (Notification.permission = 'granted');
    constructor(title, { tag }) { shownNotices.push([title, tag]); }
  };`;

describe.skipIf(!hasChromium)('watches on the page in Chromium (skipped where there is none)', () => {
  let watched: WatchedExample;
  let servers: PageServers;
  let visits: Visits;

  beforeAll(async () => {
    watched = await watchedExample({ delivery: FAILING, rules: [RULE] });
    servers = await servePage({ over: watched.over });
    visits = await openVisits();
  });
  afterEach(async () => {
    await visits.closeAlone();
    servers.example.market.replace(exampleRows());
    for (const { id } of watched.engine().records()) watched.engine().end(id, 'removed');
  });
  afterAll(async () => {
    await visits?.close();
    await servers?.close();
    await watched?.close();
  });

  const open = (place: string, prepare?: (page: Page) => Promise<unknown>): Promise<Visit> =>
    visits.openAlone(`${servers.public}/${place}`, async (page) => {
      await atExampleTime(page);
      await prepare?.(page);
    });
  /** Buys a day, and gives the id of the watch. */
  const buy = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Watch for a day, $0.02' }).click();
    await page.getByRole('button', { name: 'Pay $0.02' }).click();
    const held = page.getByRole('region', { name: 'Held' });
    await held.waitFor();
    const link = await held.getByRole('link', { name: 'Look at it' }).getAttribute('href');
    return link?.split('watch=')[1] ?? '';
  };
  const rate = (value: number): void => {
    servers.example.market.replace(rowsAtRate(value));
    // Rows that nobody states anew are looked at once they may be old.
    servers.example.clock.advance(61_000);
    watched.engine().turn();
  };
  const list = (page: Page) => tableTexts(page, MINE);

  it('a condition from a row: filled in, understood, and tried', async () => {
    const { page } = await visits.open(`${servers.operator}/#/asset?ticker=BTC`);
    await page.getByRole('link', { name: 'Watch funding of BTC on binance' }).click();
    await untilPlace(page, (hash) =>
      /p\.kind=funding&p\.ticker=crypto:BTC&p\.venue=binance&p\.above=/.test(hash),
    );
    const tried = page.getByRole('region', { name: 'The condition as it is understood' });
    await tried.getByText('does not hold now').waitFor();
    expect(await tried.textContent()).toMatch(/funding of BTC on binance above .*Assetcrypto:BTC/);
  });

  it('a day that is bought: listed, and still there after a reload', async () => {
    const made = await open(ASKED);
    const { page } = made;
    const id = await buy(page);
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
    const secret = await secretOf(page, id);
    expect(watched.desk().read(id, secret).ok).toBe(true);
    expect(page.url()).not.toContain(secret);
    await expectSound(made);
    await page.reload();
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
    expect(await list(page)).toHaveLength(2);
  });

  it('bought by the view of all routes: listed, too', async () => {
    const call = 'route=watch-day&p.kind=funding&p.ticker=BTC&p.venue=binance&p.below=-0.001';
    const { page } = await open(`#/buy?${call}`);
    await page.getByRole('button', { name: 'Ask for the price' }).click();
    await page.getByRole('button', { name: 'Pay $0.02' }).click();
    await page.getByRole('region', { name: 'Receipt' }).waitFor();
    await page.goto(`${servers.public}/#/watch`);
    await until(async () => expect((await list(page))[1]?.[0]).toContain('funding of BTC on binance below'));
  });

  it('its firing: live, read aloud, and a notice by another view', async () => {
    const { page } = await open(ASKED, (opened) => opened.addInitScript(NOTICES));
    const shown = (): Promise<unknown> => page.evaluate('shownNotices');
    const id = await buy(page);
    await until(async () => expect((await list(page))[1]?.at(-1)).toBe('at once'));
    rate(0.002);
    await page
      .getByRole('status')
      .filter({ hasText: `Fired: ${WORDS}, now 0.2 %` })
      .waitFor();
    expect(await shown()).toEqual([]);
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.getByRole('button', { name: 'Notices are on' }).waitFor();
    await page.goto(`${servers.public}/#/venues`);
    rate(0.0005);
    await until(async () => expect(await shown()).toEqual([[`Cleared: ${WORDS}, now 0.05 %`, `${id}.2`]]));
    await page.goto(`${servers.public}/#/watch?watch=${id}`);
    const told = await tableTexts(page, 'What it has told');
    expect(told.slice(1).map(([number, , what]) => [number, what])).toEqual([
      ['2', 'cleared'],
      ['1', 'fired'],
    ]);
  });

  it('notices that the browser refuses: it says so', async () => {
    const { page } = await open('#/watch', (opened) =>
      opened.addInitScript(NOTICES.replace("= 'granted'", "= 'denied'")),
    );
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    await page.getByText('This browser refuses notices of this page').waitFor();
  });

  it('its end: the statement is shown and saved; a renewal before', async () => {
    const { page } = await open(ASKED);
    const id = await buy(page);
    await page.getByRole('link', { name: 'Look at it' }).click();
    const ends = watched.desk().find(id)?.endsAt ?? 0;
    await page.getByRole('button', { name: 'Renew for 30 days, $0.60' }).click();
    await page.getByRole('button', { name: 'Raise the cap to $0.62' }).click();
    await page.getByRole('button', { name: 'Pay $0.60' }).click();
    await page.getByText(/^Renewed until/).waitFor();
    expect(watched.desk().find(id)?.endsAt).toBe(ends + 30 * 86_400_000);
    watched.engine().end(id, 'time');
    const statement = page.getByText('The signed statement of what was watched');
    await page.reload();
    await statement.click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the statement' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toBe(`statement.of.${id}`);
  });

  it('removed from the list: a purchase that is kept brings it not back', async () => {
    const { page } = await open(ASKED);
    const id = await buy(page);
    const secret = await secretOf(page, id);
    await page.goto(`${servers.public}/#/watch?watch=${id}`);
    await page.getByRole('button', { name: 'Remove from the list' }).click();
    await page.getByText('None: a watch that is made here').waitFor();
    await page.reload();
    await page.getByText('None: a watch that is made here').waitFor();
    await page.getByText('Add a watch by its id and secret').click();
    await page.getByLabel('Id', { exact: true }).fill(id);
    await page.getByLabel('Secret', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
  });

  it('added with a wrong secret: it says that none has it', async () => {
    const { page } = await open('#/watch');
    await page.getByText('Add a watch by its id and secret').click();
    await page.getByLabel('Id', { exact: true }).fill('w0');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('An id is a w and 24 hexadecimal digits.').waitFor();
    await page.getByLabel('Id', { exact: true }).fill(`w${'0'.repeat(24)}`);
    await page.getByLabel('Secret', { exact: true }).fill('none');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await until(async () => expect((await list(page))[1]?.[1]).toBe('No data for this request'));
  });

  it('a kept one added with a wrong secret: its own stays', async () => {
    const { page } = await open(ASKED);
    const id = await buy(page);
    const secret = await secretOf(page, id);
    await page.goto(`${servers.public}/#/watch`);
    await page.getByText('Add a watch by its id and secret').click();
    await page.getByLabel('Id', { exact: true }).fill(id);
    await page.getByLabel('Secret', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('this secret does not read it now').waitFor();
    expect(await secretOf(page, id)).toBe(secret);
  });

  it('by the wallet that has paid: one text is signed, and they are read', async () => {
    const payer = privateKeyToAccount(BUYER_KEY).address.toLowerCase();
    const now = servers.example.clock.now();
    const offered = { id: `w${'a'.repeat(24)}`, secret: 'lost', beganAt: now, endsAt: now + DAY_MS };
    await watched.desk().register(newRecord(offered, CONDITION, payer, ['sale']));
    const made = await open('#/watch');
    const { page } = made;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/demo/wallet')) asked.push(request.postDataJSON().method);
    });
    await page.getByText('Find watches that a wallet has paid for').click();
    await page.getByRole('button', { name: /^Sign by The demo/ }).click();
    await page.getByText(/^Found: 1, to be read until/).waitFor();
    expect(asked).toEqual(['eth_requestAccounts', 'eth_chainId', 'personal_sign']);
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
    await expectSound(made);
    await page.reload();
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
  });

  it('a wallet of more than a page: another signature for the next', async () => {
    const { page } = await open('#/watch');
    const asked: string[] = [];
    const found = { reads_until: '2026-12-01T00:00:00.000Z', total: 2, wallet: '0x', watches: [] };
    await page.route('**/v1/watches*', (route) => {
      const { search } = new URL(route.request().url());
      asked.push(search);
      return route.fulfill({ json: { ...found, next: search === '' ? 'w1' : null } });
    });
    await page.getByText('Find watches that a wallet has paid for').click();
    await page.getByRole('button', { name: /^Sign by The demo/ }).click();
    await page.getByText(/^Found: 0 of 2, to be read until/).waitFor();
    await page.getByRole('button', { name: 'Sign again for the next' }).click();
    await page.getByText(/^Found: 2, to be read until/).waitFor();
    expect(asked).toEqual(['', '?after=w1']);
    expect(await page.getByRole('button', { name: 'Sign again for the next' }).count()).toBe(0);
  });

  it('the operator’s part: a search, failing deliveries, rules, load', async () => {
    const hook = 'https://hooks.example.com/secret';
    const { id } = atOnce(watched.desk().offer({ ...CONDITION, webhook: hook }, 1));
    await watched.desk().offer(CONDITION, 1);
    const made = await visits.openAlone(`${servers.operator}/#/operator?part=watches`, async (opened) => {
      const state = OPERATOR_DOCUMENTS['/operator/state'];
      await opened.route('**/operator/state', (route) => route.fulfill({ json: state }));
    });
    const { page } = made;
    const all = () => tableTexts(page, 'All watches');
    await until(async () => expect((await all()).length).toBeGreaterThanOrEqual(3));
    const [, failing] = await tableTexts(page, 'Deliveries that fail');
    expect(failing?.slice(0, 2)).toEqual(['hooks.example.com', 'unproven']);
    expect(failing?.[3]).toContain('has not answered the challenge');
    const [, rule] = await tableTexts(page, 'Rules of the operator');
    expect(rule?.slice(0, 3)).toEqual(['mine', 'not watched', 'no venue lists it']);
    await page.getByLabel('Load of watches', { exact: true }).getByText('Looks a second').waitFor();
    await page.getByLabel('Id, payer, rule, or a part of the condition').fill(id);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await until(async () => expect((await all()).slice(1).map((row) => row.at(-1))).toEqual([id]));
    expect(await page.content()).not.toContain('example.com/secret');
    await expectSound(made);
  });

  it('on the operator’s port: free, asked for once a click', async () => {
    const { page } = await visits.openAlone(`${servers.operator}/${ASKED}`);
    const before = [...watched.engine().records()].length;
    await page.getByRole('button', { name: 'Watch for a day, free here' }).click();
    await page.getByRole('region', { name: 'Held' }).waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await until(async () => expect((await list(page))[1]?.slice(0, 2)).toEqual([WORDS, 'armed']));
    expect([...watched.engine().records()].length).toBe(before + 1);
  });
});

/** The secret as this browser keeps it. */
const secretOf = (page: Page, id: string): Promise<string> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('perpmeter-watches', 1);
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const read = opened.result.transaction('watches').objectStore('watches').get('${id}');
      read.onsuccess = () => { opened.result.close(); resolve(read.result.secret); };
      read.onerror = () => reject(read.error);
    };
  })`);
