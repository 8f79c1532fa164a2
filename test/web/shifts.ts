import type { Page } from 'playwright-core';

/** The limit of the cumulative layout shift of a view (web-vitals). */
export const MOST_SHIFT = 0.02;

/** A script of a page that notes its shifts that no input has caused. */
export const WATCH_SHIFTS = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push({ value, of: sources.map(({ node }) => node?.outerHTML?.slice(0, 90) ?? '') });
}).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  readonly value: number;
  /** Beginnings of what moved. */
  readonly of: readonly string[];
}

/** The shifts of a page until now, and their sum. Two frames pass before: what an answer has changed is painted. */
export async function shiftOf(page: Page): Promise<{ sum: number; shifts: readonly Shift[] }> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const shifts = (await page.evaluate('shifts')) as readonly Shift[];
  return { shifts, sum: shifts.reduce((all, { value }) => all + value, 0) };
}
