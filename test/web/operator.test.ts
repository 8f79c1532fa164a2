import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Collector } from '../../src/collect/collector.ts';
import { asMs } from '../../src/domain/units.ts';
import type { ConfigurationRow } from '../../src/host/settings/configuration.ts';
import { Trends } from '../../src/modules/operator/trends.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { HOSTILE, type OperatorServer, startOperatorServer, TOKEN } from '../cli/operator-server.ts';
import { RecordingSink, tinyVenue } from '../collect/tiny-venue.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { OPERATOR_DOCUMENTS } from './operator-example.ts';
import { builtPage } from './page-servers.ts';
import {
  expectSound,
  expectSoundInTheDark,
  openVisits,
  tableTexts,
  type Visit,
  type Visits,
} from './visit.ts';

const SETTINGS: readonly ConfigurationRow[] = [
  {
    name: 'port',
    flag: '--port',
    variable: 'PERPMETER_PORT',
    value: '9000',
    source: { kind: 'flag', name: '--port' },
    about: 'port of the API',
  },
  {
    value: '***',
    about: 'token of the port',
    name: 'adminToken',
    flag: '--admin-token',
    variable: 'PERPMETER_ADMIN_TOKEN',
    source: { kind: 'environment', name: 'ADMIN_TOKEN' },
  },
];

/** Two metrics over forty-five minutes of now, and of five hours ago. */
function twoSpans(): Trends {
  let sold = 0;
  const trends = new Trends([
    { name: 'sales', title: 'Sold answers', unit: 'a minute', isCount: true, read: () => sold },
    { name: 'lag', title: 'Event loop late', unit: 's', read: () => 0.01 },
  ]);
  const end = Date.now();
  for (const hours of [5, 0]) {
    for (let minute = 44; minute >= 0; minute--) {
      sold += 2;
      trends.take(asMs(end - (hours * 60 + minute) * MINUTE_MS));
    }
  }
  return trends;
}

describe.skipIf(!hasChromium)('an operator in Chromium, at the real admin port', () => {
  let visits: Visits;
  let operator: OperatorServer;
  let example: ExampleApi;
  let collector: Collector;
  let base: string;

  /** Opens a part of the view, with the token. State that only a running service has is set by hand. */
  const open = async (place: string): Promise<Visit> => {
    const made = await visits.open(`${base}/#/operator?${place}`);
    await made.page.getByRole('heading', { name: 'Operator', exact: true }).waitFor();
    return made;
  };

  beforeAll(async () => {
    visits = await openVisits();
    example = createExampleApi({ page: builtPage(), coalesceMs: 0 });
    collector = new Collector({
      venues: [tinyVenue('gate', 'http://127.0.0.1:9')],
      sink: new RecordingSink(),
    });
    const { answerOperator: answer } = example.api;
    operator = await startOperatorServer({
      allowsActions: true,
      answer,
      collector,
      configuration: SETTINGS,
      trends: twoSpans(),
    });
    base = `http://127.0.0.1:${operator.port}`;
  });
  afterAll(async () => {
    await visits?.close();
    await operator?.close();
    await collector?.stop();
    await example?.api.close();
  });

  it('is asked for the token once, and told that a wrong one is refused', async () => {
    const { page } = await visits.open(base);
    for (const [path, body] of Object.entries(OPERATOR_DOCUMENTS)) {
      await page.route(base + path, (route) => route.fulfill({ json: body }));
    }
    await page.getByLabel('Token').fill('another');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The service did not accept this token.').waitFor();
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Price list' }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
  });

  it('channels: charged, claimed, to claim, and the time until one expires', async () => {
    const made = await open('part=channels');
    const { page } = made;
    const figures = page.getByLabel('Channels of batch-settlement on eip155:8453');
    await figures.getByText('$0.25', { exact: true }).waitFor();
    expect(await figures.locator('dd').allTextContents()).toEqual(['2', '$1.25', '$1', '$0.25', '3 h', '1']);
    const [, first, second] = await tableTexts(page, 'Payment channels');
    expect(first).toEqual(expect.arrayContaining(['leaving', '$0.15', 'now', 'in 5 h', '$0.75', '0xLeft']));
    expect(second).toEqual(expect.arrayContaining(['ready', '$0.1', 'in 21 h', '–', '$5', '0xOpen']));
    await page.getByText('2 of 6 are listed').waitFor();
    await expectSound(made);
  });

  it('the log: actions and faults, hostile texts as texts', async () => {
    const made = await open('part=log');
    await made.page.getByText(`reason ${HOSTILE}`).waitFor();
    await made.page.getByText('Nothing was done on this port.').waitFor();
    expect(await made.page.locator('img').count()).toBe(0);
    await expectSound(made);
  });

  it('a symbol that is HTML: shown as text everywhere', async () => {
    const made = await open('part=identities&q=onerror');
    await made.page.getByRole('cell', { name: `${HOSTILE}USDT` }).waitFor();
    await made.page.getByRole('button', { name: 'rejects' }).click();
    await made.page.getByText('binance: malformed rate in premiumIndex').click();
    await made.page.getByText(`{"symbol":"${HOSTILE}"}`).waitFor();
    expect(await made.page.locator('img').count()).toBe(0);
    await expectSound(made);
  });

  it('one screen: money, data, machine, and the unknown payment', async () => {
    const made = await open('');
    const { page } = made;
    const first = page.getByRole('main');
    for (const said of ['Venues not live', 'History lag', 'Event loop late', 'Memory', 'Unknown']) {
      await first.getByText(said, { exact: true }).first().waitFor();
    }
    const rows = await tableTexts(page, 'Payments with something left to do');
    expect(rows[1]).toEqual(expect.arrayContaining(['perp-basis', 'unknown', '$0.005', '3', 'timeout']));
    await page
      .getByText(/A sale of funding-current brings less than its settlement costs by exact/)
      .waitFor();
    const costs = await tableTexts(page, 'Cost of a sale');
    expect(costs.slice(1)).toEqual([
      ['exact', 'eip155:8453', '7', '7', '$0.0015'],
      ['batch-settlement', 'eip155:8453', '0', '0', 'nothing was settled yet'],
    ]);
    const way = page.getByLabel('The way of a payment').locator('dd');
    expect(await way.allTextContents()).toEqual(['41', '10', '8', '7', '7']);
    expect(await page.getByText('1 settled in the ledger, not on the chain').count()).toBe(1);
    const facilitators = await tableTexts(page, 'Facilitators');
    expect(facilitators.slice(1)).toEqual([
      ['https://first.test', 'exact', 'eip155:8453', 'none, or nonsense', 'open'],
      ['https://second.test', 'exact', 'eip155:8453', 'sensible', 'closed'],
    ]);
    await expectSound(made);
  });

  it('earnings: this week against last, by day, route and payer, and Back', async () => {
    const made = await open('part=earnings');
    const { page } = made;
    const figures = page.getByLabel('Earnings', { exact: true }).locator('dd');
    await until(async () => expect(await figures.allTextContents()).toHaveLength(6));
    expect(await figures.allTextContents()).toEqual([
      '$0.035',
      '$0.01',
      '+250.0 %',
      '$0.045',
      '$0.0315',
      '2',
    ]);
    await page.getByText('Summed are the newest 20,000 payments').waitFor();
    await page.getByRole('img', { name: /^Earnings by day;/ }).waitFor();
    const [, newest] = await tableTexts(page, 'Earnings by day');
    expect(newest?.slice(1)).toEqual(['7', '$0.035', '$0.0245', '1', '1']);
    await page.getByRole('button', { name: 'payers', exact: true }).click();
    const [, payer] = await tableTexts(page, 'Earnings by payer');
    expect(payer?.slice(0, 5)).toEqual(['0xPayer', 'returning', '6', '$0.03', '–']);
    await expectSound(made);
    await page.goBack();
    await page.getByRole('table', { name: 'Earnings by day', exact: true }).waitFor();
    await page.getByRole('button', { name: 'ways', exact: true }).click();
    expect((await tableTexts(page, 'Earnings by scheme and network'))[1]?.[0]).toBe('exact');
  });

  it('finds which venue is down and why, and the budget in use', async () => {
    const { page } = await open('part=feeds&sort.feeds=status');
    const figure = page.getByText('Venues not live', { exact: true }).locator('xpath=..');
    expect(await figure.locator('dd').getAttribute('title')).toBe('vertex');
    const [, first] = await tableTexts(page, 'Feeds of the venues');
    expect(first?.slice(0, 2)).toEqual(['vertex', 'down']);
    expect(first).toEqual(expect.arrayContaining(['4 of 4 rounds failed', 'symbols: refused']));
    await page.getByRole('button', { name: 'budgets' }).click();
    const [, budget = []] = await tableTexts(page, 'Request budgets');
    expect(budget.slice(0, 5)).toEqual(['binance', 'ip', '2,400', '60 s', '25.0']);
  });

  it('merges two identities and undoes it, each with a reason', async () => {
    const made = await open('part=identities&q=oldc');
    const { page } = made;
    const ids = async () => (await tableTexts(page, 'Contracts and their assets')).slice(1).map(([id]) => id);
    expect(await ids()).toEqual(['crypto:OLDC', 'crypto:OLDC']);
    await page.getByLabel('Asset that goes').fill('crypto:OLDC');
    await page.getByLabel('Asset that stays').fill('crypto:NEWC');
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByText('Every crypto:OLDC becomes crypto:NEWC').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await page.getByLabel('Reason', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done: 2 contracts.').waitFor();
    operator.market.sweep();
    expect(operator.market.view.identitiesOf('OLDC')).toEqual(['crypto:NEWC']);
    await page.getByRole('button', { name: 'Undo decision 1' }).click();
    await page.getByLabel('Reason', { exact: true }).fill('a mistake');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done: 2 contracts.').waitFor();
    await page.getByRole('row', { name: /undo crypto:NEWC crypto:OLDC/ }).waitFor();
    await until(async () => expect(await ids()).toEqual(['crypto:OLDC', 'crypto:OLDC']));
    operator.market.sweep();
    expect(operator.market.view.identitiesOf('OLDC')).toEqual(['crypto:OLDC']);
    await expectSound(made);
  });

  it('a venue: paused for a reason, resumed, and both in the log', async () => {
    const made = await open('part=venues');
    const { page } = made;
    const row = page.getByRole('row', { name: /^gate/ });
    await row.getByText('Nothing has come yet').waitFor();
    for (const [word, said] of [
      ['Pause', 'gate is paused.'],
      ['Resume', 'gate is collected again.'],
    ] as const) {
      await page.getByRole('button', { name: `${word} gate` }).click();
      expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
      await page.getByLabel('Reason', { exact: true }).fill('bad data');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText(said).waitFor();
      expect(collector.health.of('gate')?.paused).toBe(word === 'Pause' ? true : undefined);
      await page.getByRole('button', { name: 'Close' }).click();
    }
    await row.getByText('paused', { exact: true }).waitFor({ state: 'detached' });
    await expectSound(made);
    await page.getByRole('button', { name: 'log', exact: true }).click();
    await page.getByRole('row', { name: /pause gate the page at .* bad data done/ }).waitFor();
    await page.goBack();
    await row.waitFor();
  });

  it('settings: the place of each value, and the log level is set', async () => {
    const made = await open('part=settings');
    const { page } = made;
    const [, port, token] = await tableTexts(page, 'Configuration');
    expect(port?.slice(0, 4)).toEqual(['PERPMETER_PORT', '9000', 'flag', '--port']);
    expect(token?.slice(0, 4)).toEqual(['PERPMETER_ADMIN_TOKEN', '***', 'environment', 'ADMIN_TOKEN']);
    const form = page.getByRole('form', { name: 'Change logLevel' });
    await form.getByRole('combobox').selectOption('debug');
    await form.getByRole('button', { name: 'Look at it' }).click();
    await page.getByText('Set logLevel from info to debug').waitFor();
    await page.getByLabel('Reason', { exact: true }).fill('a fault');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('now debug').waitFor();
    await expectSound(made);
  });

  it('over time: plots of the last hours, the same as tables, and Back', async () => {
    const made = await open('part=trends');
    const { page } = made;
    await page.getByRole('img', { name: /^Sold answers;/ }).waitFor();
    expect(await page.getByRole('img', { name: /; the numbers follow as a table$/ }).count()).toBe(2);
    await page.locator('summary', { hasText: 'Numbers' }).first().click();
    const numbers = await tableTexts(page, 'Sold answers, newest points');
    expect(numbers).toHaveLength(61);
    expect(numbers[1]?.[1]).toBe('2');
    await page.getByRole('button', { name: '1 h' }).click();
    await page.getByText('CSV of all 45 points').first().waitFor({ state: 'attached' });
    await expectSound(made);
    await page.goBack();
    await page.getByText('CSV of all 90 points').first().waitFor({ state: 'attached' });
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

  it('has no finding in the dark and in a narrow window', async () => {
    const parts = [
      'identities',
      'log',
      'payments',
      'rejects',
      'earnings',
      'ledger',
      'venues',
      'settings',
      'trends',
    ];
    await expectSoundInTheDark(
      visits,
      parts.map((part) => `${base}/#/operator?part=${part}`),
    );
  });
});
