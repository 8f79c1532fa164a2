import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { HOSTILE, startDesk, type TestDesk, TOKEN } from '../cli/operator-desk.ts';
import { hasChromium, openBrowser } from './browser.ts';
import { OPERATOR_DOCUMENTS } from './operator-example.ts';
import { builtPage } from './page-servers.ts';
import { expectSound, tableTexts, type Visit, visit } from './visit.ts';

const NARROW = { viewport: { width: 360, height: 760 } };

describe.skipIf(!hasChromium)('an operator in Chromium, at the real admin port', () => {
  let browser: Browser;
  let desk: TestDesk;
  let example: ExampleApi;
  const visits: Visit[] = [];

  /** Opens a part of the view, as whoever has the token. What a service would have to run for is given. */
  async function open(place: string, options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
    const base = `http://127.0.0.1:${desk.port}`;
    const made = await visit(browser, base, options);
    visits.push(made);
    for (const [path, body] of Object.entries(OPERATOR_DOCUMENTS)) {
      await made.page.route(base + path, (route) => route.fulfill({ json: body }));
    }
    const { page } = made;
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Price list' }).waitFor();
    await page.goto(`${base}/#/operator?${place}`);
    await page.getByRole('heading', { name: 'Operator', exact: true }).waitFor();
    return {
      ...made,
      // Before the token was given, everything was refused.
      get faults() {
        return made.faults.filter((fault) => !fault.includes('401 (Unauthorized)'));
      },
    };
  }

  beforeAll(async () => {
    const opened = await openBrowser();
    if (opened === undefined) throw new Error('no Chromium');
    browser = opened;
  });
  beforeEach(async () => {
    example = createExampleApi({ page: builtPage(), coalesceMs: 0 });
    desk = await startDesk({ allowsActions: true, answer: example.api.answerOperator });
  });
  afterEach(async () => {
    for (const { context } of visits.splice(0)) await context.close();
    await desk.close();
    await example.api.close();
  });
  afterAll(() => browser?.close());

  it('merges two identities and undoes it, each after a look and with a reason', async () => {
    const made = await open('part=identities&q=matic');
    const { page } = made;
    const ids = async () => (await tableTexts(page, 'Contracts and their assets')).slice(1).map(([id]) => id);
    await page.getByRole('table', { name: 'Contracts and their assets' }).waitFor();
    expect(await ids()).toEqual(['crypto:MATIC', 'crypto:MATIC']);
    await page.getByLabel('Asset that goes').fill('crypto:MATIC');
    await page.getByLabel('Asset that stays').fill('crypto:POL');
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByText('Every crypto:MATIC becomes crypto:POL').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done: 2 contracts.').waitFor();
    desk.market.sweep();
    expect(desk.market.view.identitiesOf('MATIC')).toEqual(['crypto:POL']);
    await page.getByRole('button', { name: 'Undo decision 1' }).click();
    await page.getByLabel('Reason', { exact: true }).fill('a mistake');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done: 2 contracts.').waitFor();
    await page.getByRole('row', { name: /undo crypto:POL crypto:MATIC/ }).waitFor();
    expect(await ids()).toEqual(['crypto:MATIC', 'crypto:MATIC']);
    desk.market.sweep();
    expect(desk.market.view.identitiesOf('MATIC')).toEqual(['crypto:MATIC']);
    await expectSound(made);
  });

  it('finds in the log what was done and what went wrong, hostile texts as texts', async () => {
    const made = await open('part=log');
    await made.page.getByText(`reason ${HOSTILE}`).waitFor();
    await made.page.getByText('Nothing: whoever looked only looked.').waitFor();
    expect(await made.page.locator('img').count()).toBe(0);
    await expectSound(made);
  });

  it('sees a symbol that is HTML as text, among contracts and in a rejected payload', async () => {
    const made = await open('part=identities&q=onerror');
    await made.page.getByRole('cell', { name: `${HOSTILE}USDT` }).waitFor();
    await made.page.getByRole('button', { name: 'rejects' }).click();
    await made.page.getByText('binance: malformed rate in premiumIndex').click();
    await made.page.getByText(`{"symbol":"${HOSTILE}"}`).waitFor();
    expect(await made.page.locator('img').count()).toBe(0);
    await expectSound(made);
  });

  it('sees on one screen how money, data and machine are, and which payment is unknown', async () => {
    const { page } = await open('');
    const first = page.getByRole('main');
    for (const said of ['Venues not live', 'History lag', 'Event loop late', 'Memory', 'Unknown']) {
      await first.getByText(said, { exact: true }).first().waitFor();
    }
    const rows = await tableTexts(page, 'Payments with something left to do');
    expect(rows[1]).toEqual(expect.arrayContaining(['perp-basis', 'unknown', '3']));
    const facilitators = await tableTexts(page, 'Facilitators');
    expect(facilitators.slice(1)).toEqual([
      ['https://first.test', 'none, or nonsense', 'open'],
      ['https://second.test', 'sensible', 'closed'],
    ]);
  });

  it('finds which venue is down, and why', async () => {
    const { page } = await open('part=feeds&sort.feeds=status');
    const figure = page.getByText('Venues not live', { exact: true }).locator('xpath=..');
    expect(await figure.locator('dd').getAttribute('title')).toBe('vertex');
    const [, first] = await tableTexts(page, 'Feeds of the venues');
    expect(first?.slice(0, 2)).toEqual(['vertex', 'down']);
    expect(first).toEqual(expect.arrayContaining(['4 of 4 rounds failed', 'symbols: refused']));
  });

  it('is asked for the token once, and told that a wrong one is refused', async () => {
    const made = await visit(browser, `http://127.0.0.1:${desk.port}`);
    visits.push(made);
    const { page } = made;
    await page.getByLabel('Token').fill('another');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The service did not accept this token.').waitFor();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Price list' }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
  });

  it('never has the token in an address', async () => {
    const asked: string[] = [];
    const { page } = await open('part=identities');
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.getByRole('table', { name: 'Contracts and their assets' }).waitFor();
    expect(asked.length).toBeGreaterThan(3);
    const token = encodeURIComponent(TOKEN);
    expect([...asked, page.url()].filter((url) => url.includes(token) || url.includes(TOKEN))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('fits a narrow window in %s', async (colorScheme) => {
    for (const part of ['identities', 'log', 'payments', 'rejects']) {
      const made = await open(`part=${part}`, { ...NARROW, colorScheme });
      await made.page.locator('main table').first().waitFor();
      await expectSound(made);
    }
  });
});
