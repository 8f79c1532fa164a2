/**
 * Photographs every view of the page over the demo, light and dark, wide and narrow, into var/screens/; one of
 * each view, for README.md and docs/page.md, into docs/screens/. Usage: npm run docs screens [-- --public URL
 * --operator URL] [--only view] [--pictures] [--full]; --pictures takes those of docs/screens/ alone. Without
 * addresses it starts a demo of its own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { HealthAnswer } from '../packages/client/src/routes.ts';
import type { Shot } from '../src/host/page-view.ts';
import { openBrowser } from '../test/web/browser.ts';
import { FIRST_SHOTS, pageViews } from './page-views.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo, untilBackfilled } from './with-demo.ts';

answerHelp();

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 760 } } as const;
const SETTLE_MS = 3000;
/** The matrix shows how much of each spread persists: what was paid is added up each minute. */
const BACKFILL_MS = 60_000;
const ADDED_UP_MS = 65_000;
const LIVE_MS = 30_000;

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const OUT = 'var/screens';
const only = option('only');

/** True of the look in which a view is kept. */
const isKept = ({ kept }: Shot, look: string): boolean => look === `wide-${kept}`;

const isAsked = (shot: Shot, look: string): boolean =>
  (only === undefined || shot.name.startsWith(only)) &&
  (!process.argv.includes('--pictures') || isKept(shot, look));

/** The window as a small file. */
async function keep(page: Page, picture: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
  writeFileSync(join('docs/screens', `${picture}.webp`), Buffer.from(data, 'base64'));
}

/** A busy machine makes venues stale; a picture of that is one of the machine. */
async function untilLive(base: string): Promise<void> {
  for (const until = Date.now() + LIVE_MS; Date.now() < until; await wait(500)) {
    const health = (await (await fetch(`${base}/v1/health`)).json()) as HealthAnswer;
    if (health.venues.stale + health.venues.down === 0) return;
  }
  console.error('not all venues are live: the machine is too busy for pictures');
}

async function untilRead(page: Page): Promise<void> {
  await page.locator('main :first-child').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(SETTLE_MS);
}

/** One view in one window; says what is wrong with it. */
async function shoot(context: BrowserContext, shot: Shot, base: string, look: string): Promise<void> {
  const { name, place, press = [] } = shot;
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
  page.on('console', (line) => {
    // Prices and what nobody has are answers, not faults.
    const isAnswer = /status of (402|404)/.test(line.text());
    if (line.type() === 'error' && !isAnswer) console.error(`${name}: ${line.text()}`);
  });
  await untilLive(base);
  await page.goto(`${base}/${place}`);
  await untilRead(page);
  for (const button of press) {
    await page.getByRole('button', { name: button }).first().click();
    await untilRead(page);
  }
  const picture = `${name}-${look}`;
  await page.screenshot({ path: join(OUT, `${picture}.png`), fullPage: process.argv.includes('--full') });
  if (isKept(shot, look)) await keep(page, picture);
  const sideways = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  if (sideways !== 0) console.error(`${picture}: ${sideways} px wider than its window`);
  await page.close();
}

async function photograph(browser: Browser, bases: Readonly<Record<Shot['port'], string>>): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  mkdirSync('docs/screens', { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      for (const shot of shots) {
        const look = `${size}-${colorScheme}`;
        if (isAsked(shot, look)) await shoot(context, shot, bases[shot.port], look);
      }
      await context.close();
    }
  }
}

const shots = [...FIRST_SHOTS, ...(await pageViews()).flatMap((view) => view.shots)];
const asked = option('public');
const demo = asked === undefined ? await startDemo('0') : undefined;
if (demo !== undefined) {
  await untilBackfilled('.', 'backfill_pct', BACKFILL_MS);
  await wait(ADDED_UP_MS);
}
const said = demo === undefined ? {} : JSON.parse(readFileSync('var/demo.json', 'utf8'));
const browser = await openBrowser();
try {
  if (browser === undefined) throw new Error('no Chromium: apt-get install chromium-headless-shell');
  await photograph(browser, {
    public: asked ?? said.base_url,
    operator: option('operator') ?? said.operator_url,
  });
} finally {
  await browser?.close();
  if (demo !== undefined) await stopDemo(demo);
}
