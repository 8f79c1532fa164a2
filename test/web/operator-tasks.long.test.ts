import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/host/process/demo-file.ts';
import { TOKEN } from '../cli/operator-server.ts';
import { runCli, scratchFolder, startCli } from '../cli/run-cli.ts';
import { until } from '../until.ts';
import { hasChromium } from './browser.ts';
import { MOST_TABS, placesToEnd } from './keyboard.ts';
import { TaskDriver } from './task-driver.ts';
import {
  expectSound,
  expectSoundInBothColours,
  openVisits,
  sidewaysOf,
  tableTexts,
  type Visit,
  type Visits,
} from './visit.ts';

const PAGE = new URL('../../docs/operator-page.md', import.meta.url);
/** The least that a demo starts with. */
const VENUES = 'binance,okx,bybit,bitget,gate,kucoin,hyperliquid,aster,kraken,mexc';
const WIDTHS = [320, 375, 768, 1280, 1600];
/** A narrow and a wide window, in which axe looks. */
const AXE_WIDTHS = [320, 1280];
const LEDGER = 'Payments of the ledger';

const ALL_PARTS = [
  'payments',
  'ledger',
  'earnings',
  'channels',
  'watches',
  'venues',
  'settings',
  'trends',
  'feeds',
  'budgets',
  'rejects',
  'identities',
  'machine',
  'log',
];

/** Gives a reason, which is typed, and confirms. */
async function confirm(driver: TaskDriver): Promise<void> {
  await driver.page.getByLabel('Reason', { exact: true }).fill('a trial');
  await driver.press('Confirm');
}

/** Tasks of an operator from the first part of the view, by their names in the manual. */
const TASKS: Readonly<Record<string, (driver: TaskDriver) => Promise<void>>> = {
  'see payments from price to answer, and which are open': async ({ page }) => {
    await page.getByLabel('The way of a payment').waitFor();
    await page.getByRole('table', { name: 'Payments with something left to do' }).waitFor();
  },
  'see which routes lose money': ({ page }) => page.getByRole('table', { name: 'Cost of a sale' }).waitFor(),
  'find a payment by payer, transaction or nonce': async (driver) => {
    const { page } = driver;
    await driver.press('ledger');
    const search = page.getByRole('form', { name: 'Search' });
    const nonce = (await tableTexts(page, LEDGER))[1]?.at(-1) ?? '';
    expect(nonce).toMatch(/^0x/);
    await search.getByLabel('Payer, transaction, nonce, route or reason').fill(nonce);
    await driver.click(search.getByRole('button', { name: 'Search' }));
    await until(async () => expect(await tableTexts(page, LEDGER)).toHaveLength(2));
  },
  'read the story of a payment': async (driver) => {
    const { page } = driver;
    await driver.press('ledger');
    await driver.click(page.getByRole('table', { name: LEDGER }).getByRole('link').first());
    const story = page.getByRole('region', { name: 'One payment' });
    await story.getByText('Its answer was delivered').waitFor();
  },
  'see why payments and requests failed, grouped': async (driver) => {
    const { page } = driver;
    await driver.press('ledger');
    const rows = await tableTexts(page, 'Why requests with a payment brought no new answer');
    // On a busy machine a purchase may be tried again, for a reason that is listed as well.
    expect(rows.map((row) => row.slice(0, 3))).toContainEqual(['malformed_payment_header', 'rejected', '1']);
  },
  'compare this week with the last': async (driver) => {
    const { page } = driver;
    await driver.press('earnings');
    const week = page.getByLabel('Earnings', { exact: true }).locator('dd').first();
    await until(async () => expect(await week.textContent()).toBe('$0.015'));
  },
  'see earnings by payer': async (driver) => {
    const { page } = driver;
    await driver.press('earnings');
    await driver.press('payers');
    expect(await tableTexts(page, 'Earnings by payer')).toHaveLength(2);
  },
  'see what is to be claimed of channels': async (driver) => {
    const { page } = driver;
    await driver.press('channels');
    await page.getByRole('table', { name: 'Payment channels' }).waitFor();
  },
  'see what fails at a venue, and what to do': async (driver) => {
    const { page } = driver;
    await driver.press('venues');
    await page.getByRole('row', { name: /^mexc/ }).waitFor();
  },
  'pause a venue': async (driver) => {
    await driver.press('venues');
    await driver.press('Pause mexc');
    await confirm(driver);
    await driver.page.getByText('mexc is paused.').waitFor();
  },
  'see the place of each setting': async (driver) => {
    const { page } = driver;
    await driver.press('settings');
    await page.getByRole('row', { name: /ADMIN_TOKEN \*\*\* environment/ }).waitFor();
  },
  'set the log level': async (driver) => {
    const { page } = driver;
    await driver.press('settings');
    await page.getByRole('form', { name: 'Change logLevel' }).getByRole('combobox').selectOption('warn');
    await driver.press('Look at it');
    await confirm(driver);
    await page.getByText('now warn').waitFor();
  },
  'see what was done on this port': async (driver) => {
    const { page } = driver;
    await driver.press('log');
    await page.getByRole('row', { name: /pause mexc the page at .* a trial done/ }).waitFor();
  },
  'see what is watched, and what it takes': async (driver) => {
    const { page } = driver;
    await driver.press('watches');
    await page.getByRole('table', { name: 'All watches' }).waitFor();
    await page.getByRole('table', { name: 'Deliveries that fail' }).waitFor();
    await page.getByLabel('Load of watches', { exact: true }).getByText('Looks a second').waitFor();
  },
  // A plot needs a second minute, which has mostly passed by now.
  'see the last hour as plots': async (driver) => {
    const { page } = driver;
    await driver.press('trends');
    await driver.press('1 h');
    await page.getByRole('img', { name: /^Sold answers;/ }).waitFor();
  },
};

const NAMES = Object.keys(TASKS);
/** Clicks of each task as the manual counts them. */
const CLICKS = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(/^\| ([^|]+) \| (\d) \|$/gm)].map(([, name = '', clicks]) => [
    name,
    Number(clicks),
  ]),
);

it('tasks in the manual: each is driven, at most three clicks long', () => {
  expect([...CLICKS.keys()]).toEqual(NAMES);
  expect(Math.max(...CLICKS.values())).toBeLessThanOrEqual(3);
});

describe.skipIf(!hasChromium)('an operator of a demo in Chromium', () => {
  const folder = scratchFolder();
  let demo: ChildProcess | undefined;
  let visits: Visits;
  let base: string;

  const open = async (place: string, at: number): Promise<Visit> => {
    const made = await visits.open(`${base}/#/operator${place}`, {
      viewport: { width: WIDTHS[at % WIDTHS.length] ?? 0, height: 800 },
      colorScheme: at % 2 === 0 ? 'light' : 'dark',
    });
    await made.page.getByRole('heading', { name: 'Operator', exact: true }).waitFor();
    await made.page.locator('.loading').first().waitFor({ state: 'detached' });
    return made;
  };

  beforeAll(async () => {
    const settings = { ADMIN_TOKEN: TOKEN, ADMIN_ACTIONS: 'on', VENUES, PERPMETER_BOOKS_PER_VENUE: '2' };
    demo = startCli(['demo', '--port', '0'], folder, settings);
    let printed = '';
    demo.stdout?.on('data', (chunk) => {
      printed += String(chunk);
    });
    await until(() => expect(printed).toContain('ready in'), 100);
    const file = JSON.parse(readFileSync(join(folder, 'var/demo.json'), 'utf8')) as Required<DemoFile>;
    base = file.operator_url;
    const path = '/v1/perp/basis?ticker=BTC';
    const bought = await runCli(['buy', path, '--times', '3'], { cwd: folder });
    expect(bought.code).toBe(0);
    await fetch(file.base_url + path, { headers: { 'PAYMENT-SIGNATURE': 'none' } });
    visits = await openVisits();
    const { page } = await visits.open(base);
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Price list' }).waitFor();
  });
  afterAll(async () => {
    await visits?.close();
    if (demo === undefined || demo.exitCode !== null) return;
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  });

  it.each(NAMES.map((name, at) => ({ name, at })))(
    '$name: in the clicks of the manual',
    async ({ name, at }) => {
      const made = await open('', at);
      const driver = new TaskDriver(made.page);
      await TASKS[name]?.(driver);
      expect(driver.clicks).toBe(CLICKS.get(name));
      await expectSound(made);
    },
  );

  it('parts of the view: all are looked at', async () => {
    const { page } = await open('', 0);
    const buttons = page.getByRole('group', { name: 'Part' }).getByRole('button');
    expect((await buttons.allTextContents()).sort()).toEqual([...ALL_PARTS].sort());
  });

  it.each(ALL_PARTS)('%s: its end in few tabs', async (part) => {
    const { page } = await open(`?part=${part}`, 3);
    await page.reload();
    await page.locator('main section').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    const places = await placesToEnd(page);
    expect(places.length, places.join('\n')).toBeLessThanOrEqual(MOST_TABS);
  });

  it.each(ALL_PARTS)('%s: fits five widths, sound in both colours', async (part) => {
    const made = await open(`?part=${part}`, 0);
    for (const width of WIDTHS) {
      await made.page.setViewportSize({ width, height: 800 });
      expect(await sidewaysOf(made.page)).toBe(0);
      if (AXE_WIDTHS.includes(width)) await expectSoundInBothColours(made);
    }
  });
});
