import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A visit: one page in a context of its own, with all that it asked for and complained of. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Faults of scripts and of the policy, in the order in which they came. */
  readonly faults: readonly string[];
  /** Origins that were asked. */
  readonly origins: ReadonlySet<string>;
}

type ContextOptions = Parameters<Browser['newContext']>[0];

/** @param script run in the page before its own */
export async function visit(
  browser: Browser,
  url: string,
  options: ContextOptions = {},
  script?: string,
): Promise<Visit> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  const page = await context.newPage();
  if (script !== undefined) await page.addInitScript(script);
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
  await page.goto(url);
  return { page, context, faults, origins };
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical findings of axe-core on what is shown. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids a script that is put in, but not one that the browser's own tools evaluate.
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: readonly Violation[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

/** Texts of a table, row by row, the head first. */
export async function tableTexts(page: Page, caption: string): Promise<readonly (readonly string[])[]> {
  const rows = page.getByRole('table', { name: caption }).locator('tr');
  return rows.evaluateAll((all) =>
    all.map((row) =>
      [...(row as unknown as { cells: Iterable<{ textContent: string }> }).cells].map((cell) =>
        cell.textContent.trim(),
      ),
    ),
  );
}

/** What must hold of every view: nothing broke, nothing foreign was asked, nothing hinders whoever sees or hears it. */
export async function expectSound({ page, faults, origins }: Visit): Promise<void> {
  expect(await seriousFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
  expect([...origins]).toEqual([new URL(page.url()).origin]);
  const sideways = await page.locator('html').evaluate((html) => {
    const { scrollWidth, clientWidth } = html as unknown as { scrollWidth: number; clientWidth: number };
    return scrollWidth - clientWidth;
  });
  expect(sideways).toBe(0);
}
