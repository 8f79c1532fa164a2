import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Before the limit of a test, so that the error names the missing part. */
const HUNG_MS = 240_000;
const WIDE = { width: 1280, height: 720 };
export const NARROW = { width: 360, height: 760 };

/** A visit: one page, with all that it asked for and complained of since it was opened. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Faults of scripts and of the policy, in the order in which they came. */
  readonly faults: string[];
  /** Origins that were asked. */
  readonly origins: Set<string>;
}

export interface Look {
  readonly viewport?: typeof WIDE;
  readonly colorScheme?: 'light' | 'dark';
}

async function newVisit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Berlin' });
  context.setDefaultTimeout(HUNG_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const origins = new Set<string>();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    // A price is no fault, nor is it that a venue has no such history: both are answers.
    if (line.type() === 'error' && !/status of (402|404|409)/.test(line.text())) faults.push(line.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  return { page, context, faults, origins };
}

/** Visits of one browser. Most share a page for each origin, since to open one takes the CPU of ten changes of view. */
export class Visits {
  readonly #browser: Browser;
  readonly #shared = new Map<string, Visit>();
  readonly #alone: Visit[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A view (`#/…`) in the origin's page, of which nothing was shown before; what was stored or bought there is still there. */
  async open(url: string, look: Look = {}): Promise<Visit> {
    const { origin, hash } = new URL(url);
    const known = this.#shared.get(origin);
    const made = known ?? (await newVisit(this.#browser));
    this.#shared.set(origin, made);
    const { page, faults, origins } = made;
    if (known !== undefined) {
      await page.goto(`${origin}/#/nowhere`);
      await page.getByRole('heading', { name: 'No such view' }).waitFor();
    }
    await page.setViewportSize(look.viewport ?? WIDE);
    await page.emulateMedia({ colorScheme: look.colorScheme ?? 'light' });
    faults.length = 0;
    origins.clear();
    origins.add(origin);
    await page.goto(`${origin}/${hash === '' ? '#/' : hash}`);
    return made;
  }

  /**
   * A page of its own, until `closeAlone`.
   * @param prepare what is put into the page before it runs
   */
  async openAlone(url: string, prepare?: (page: Page) => Promise<void>): Promise<Visit> {
    const made = await newVisit(this.#browser);
    this.#alone.push(made);
    await prepare?.(made.page);
    await made.page.goto(url);
    return made;
  }

  async closeAlone(): Promise<void> {
    for (const { context } of this.#alone.splice(0)) await context.close();
  }

  async close(): Promise<void> {
    await this.closeAlone();
    for (const { context } of this.#shared.values()) await context.close();
    this.#shared.clear();
  }
}

/** Of all files that a process runs: to start it takes a second of CPU. It ends with the process. */
let running: ReturnType<typeof openBrowser> | undefined;

/** Visits of the process's browser. Throws where there is none: `hasChromium` says so before. */
export async function openVisits(): Promise<Visits> {
  running ??= openBrowser();
  const browser = await running;
  if (browser === undefined) throw new Error('no Chromium');
  return new Visits(browser);
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Impacts of all findings but minor ones. */
const FROM_MODERATE: readonly string[] = ['moderate', 'serious', 'critical'];

/**
 * Findings of axe-core on what is shown, but minor ones.
 * @param rules some of its rules, or all
 */
async function findings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The policy of the page forbids a script that is put in, but not one that the browser's own tools evaluate.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: readonly Violation[];
  };
  return violations
    .filter(({ impact }) => impact !== null && FROM_MODERATE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Texts of a table, row by row, the head first. */
export async function tableTexts(page: Page, caption: string): Promise<readonly (readonly string[])[]> {
  const table = page.getByRole('table', { name: caption });
  await table.waitFor();
  return table
    .locator('tr')
    .evaluateAll((all) =>
      all.map((row) =>
        [...(row as unknown as { cells: Iterable<{ textContent: string }> }).cells].map((cell) =>
          cell.textContent.trim(),
        ),
      ),
    );
}

/** Waits until the state in the address of a page is so. */
export const untilPlace = (page: Page, isSo: (hash: string) => boolean): Promise<void> =>
  page.waitForURL(({ hash }) => isSo(decodeURIComponent(hash)));

/** Width by which a page exceeds its window, px. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.locator('html').evaluate((html) => {
    const { scrollWidth, clientWidth } = html as unknown as { scrollWidth: number; clientWidth: number };
    return scrollWidth - clientWidth;
  });

/** Nothing broke, and nothing foreign was asked. */
export function expectQuiet({ page, faults, origins }: Visit): void {
  expect(faults).toEqual([]);
  expect([...origins]).toEqual([new URL(page.url()).origin]);
}

/** Every view must be quiet, and accessible to those who see or hear it. */
export async function expectSound(made: Visit): Promise<void> {
  const { page } = made;
  // A view that is being loaded has no title yet.
  await page.locator('h1').first().waitFor();
  expect(await findings(page)).toEqual([]);
  await expectFits(made);
}

/** Without a fault of scripts, and with nothing beyond the window's sides. */
export async function expectFits(made: Visit): Promise<void> {
  expectQuiet(made);
  expect(await sidewaysOf(made.page)).toBe(0);
}

/** By all rules in both colours; the state of what is shown is the same. */
export async function expectSoundInBothColours(made: Visit): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await made.page.emulateMedia({ colorScheme });
    await expectSound(made);
  }
}

/** A view that is sound in both colours stays readable in the dark after a task. */
export async function expectReadableInTheDark({ page }: Visit): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findings(page, ['color-contrast'])).toEqual([]);
}

/** True if the link of the shown view, if it has one, is in sight, also where not all links are. */
const LINK_IN_SIGHT = `(() => {
  const place = document.querySelector('nav [aria-current]')?.getBoundingClientRect();
  return place === undefined || (place.left >= 0 && place.right <= innerWidth);
})()`;

/** Views in the dark and in a narrow window: what they look like in the light and in a wide one is for their own tests. */
export async function expectSoundInTheDark(visits: Visits, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const made = await visits.open(url, { colorScheme: 'dark', viewport: NARROW });
    await made.page.locator('main h1').waitFor();
    await made.page.locator('.loading').first().waitFor({ state: 'detached' });
    expect(await made.page.evaluate(LINK_IN_SIGHT)).toBe(true);
    await expectSound(made);
  }
}

/** Cells of some columns of a table, by the beginnings of their titles. */
export async function cellsOf(
  page: Page,
  caption: string,
  titles: readonly string[],
): Promise<readonly (readonly (string | undefined)[])[]> {
  const [head = [], ...rows] = await tableTexts(page, caption);
  const places = titles.map((title) => head.findIndex((place) => place.startsWith(title)));
  return rows.map((row) => places.map((at) => row[at]));
}
