/**
 * Photographs every view of the page over the demo, light and dark, wide and narrow, into var/screens/; the pictures
 * of the README among them into docs/screens/.
 * Usage: npm run docs:screens [-- --public URL --operator URL] [--only view] [--full]; without addresses it starts a
 * demo of its own.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../test/web/browser.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo, untilBackfilled } from './with-demo.ts';

answerHelp();

interface Shot {
  readonly name: string;
  readonly port: 'public' | 'operator';
  readonly place: string;
}

const SHOTS: readonly Shot[] = [
  { name: 'home', port: 'public', place: '' },
  { name: 'matrix', port: 'operator', place: '#/matrix' },
  { name: 'heatmap', port: 'operator', place: '#/heatmap' },
  { name: 'heatmap-venue', port: 'operator', place: '#/heatmap?venue=binance&step=1h' },
  { name: 'heatmap-sale', port: 'public', place: '#/heatmap' },
  { name: 'asset', port: 'operator', place: '#/asset?ticker=BTC' },
  { name: 'venues', port: 'public', place: '#/venues' },
  { name: 'quality', port: 'public', place: '#/quality' },
  { name: 'quality-incidents', port: 'public', place: '#/quality?section=incidents' },
  { name: 'quality-coverage', port: 'public', place: '#/quality?section=coverage' },
  { name: 'quality-latency', port: 'public', place: '#/quality?section=latency' },
  { name: 'quality-accuracy', port: 'public', place: '#/quality?section=accuracy' },
  { name: 'quality-units', port: 'public', place: '#/quality?section=units' },
  { name: 'buy', port: 'public', place: '#/buy?route=perp-snapshot&p.ticker=BTC' },
  { name: 'asset-sale', port: 'public', place: '#/asset?ticker=BTC' },
  { name: 'pair', port: 'operator', place: '#/pair?ticker=BTC&short=binance&long=hyperliquid' },
  { name: 'operator', port: 'operator', place: '#/operator' },
  { name: 'operator-feeds', port: 'operator', place: '#/operator?part=feeds' },
  { name: 'operator-identities', port: 'operator', place: '#/operator?part=identities&q=btc' },
  { name: 'operator-log', port: 'operator', place: '#/operator?part=log' },
  { name: 'matrix-sample', port: 'public', place: '#/matrix' },
  { name: 'matrix-empty', port: 'operator', place: '#/matrix?q=nothing-is-called-so' },
  { name: 'asset-empty', port: 'operator', place: '#/asset?ticker=NOSUCH' },
  { name: 'operator-identities-empty', port: 'operator', place: '#/operator?part=identities&q=nosuch' },
];
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 760 } } as const;
const SETTLE_MS = 1500;

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const OUT = 'var/screens';
/** What the README shows. */
const PICTURES = ['matrix-wide-light', 'asset-wide-dark', 'pair-wide-light', 'operator-wide-dark'];
const only = option('only');

async function photograph(browser: Browser, bases: Readonly<Record<Shot['port'], string>>): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  mkdirSync('docs/screens', { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      for (const { name, port, place } of SHOTS) {
        if (only !== undefined && !name.startsWith(only)) continue;
        const page = await context.newPage();
        page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
        page.on('console', (line) => {
          // Prices and what nobody has are answers, not faults.
          const isAnswer = /status of (402|404)/.test(line.text());
          if (line.type() === 'error' && !isAnswer) console.error(`${name}: ${line.text()}`);
        });
        await page.goto(`${bases[port]}/${place}`);
        await page.locator('main :first-child').first().waitFor();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await page.waitForTimeout(SETTLE_MS);
        const picture = `${name}-${size}-${colorScheme}`;
        const path = join(OUT, `${picture}.png`);
        await page.screenshot({ path, fullPage: process.argv.includes('--full') });
        if (PICTURES.includes(picture)) copyFileSync(path, join('docs/screens', `${picture}.png`));
        const sideways = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (sideways !== 0) console.error(`${name} ${size}: ${sideways} px wider than its window`);
        await page.close();
      }
      await context.close();
    }
  }
}

const asked = option('public');
const demo = asked === undefined ? await startDemo('0') : undefined;
if (demo !== undefined) await untilBackfilled();
const said = demo === undefined ? {} : JSON.parse(readFileSync('var/demo.json', 'utf8'));
const browser = await openBrowser();
try {
  if (browser === undefined) throw new Error('no Chromium: apt-get install chromium');
  await photograph(browser, {
    public: asked ?? said.base_url,
    operator: option('operator') ?? said.operator_url,
  });
} finally {
  await browser?.close();
  if (demo !== undefined) await stopDemo(demo);
}
