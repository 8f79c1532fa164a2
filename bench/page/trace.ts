import type { Browser, Page } from 'playwright-core';

/** An event of Chromium's trace, as far as it is read; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The main thread's work for one update, ms. */
export interface UpdateCost {
  /** CPU of the thread, which does not count the time that others had the core. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
const MAIN_THREAD = 'CrRendererMain';
const MESSAGE = 'HandlePostMessage';

/** Chromium's trace of what a page does meanwhile. */
async function trace(
  browser: Browser,
  page: Page,
  during: () => Promise<void>,
): Promise<readonly TraceEvent[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return traceEvents;
}

/**
 * The main thread's time for each update of the page: every task from the one that takes a message of the
 * worker to the frame that shows it, both among them.
 */
export async function updateCosts(
  browser: Browser,
  page: Page,
  during: () => Promise<void>,
): Promise<readonly UpdateCost[]> {
  const events = (await trace(browser, page, during)).toSorted((a, b) => a.ts - b.ts);
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === MAIN_THREAD).map(threadOf),
  );
  const message = events.find((event) => event.name === MESSAGE && mains.has(threadOf(event)));
  const own = events.filter((event) => message !== undefined && threadOf(event) === threadOf(message));
  const tasks = own.filter(({ ph, name }) => ph === 'X' && name === 'RunTask');
  const taskOf = ({ ts }: TraceEvent): number => tasks.findLastIndex((task) => task.ts <= ts);
  const frames = own.filter(({ name }) => name === 'FireAnimationFrame');
  return own
    .filter(({ name }) => name === MESSAGE)
    .flatMap((event) => {
      const frame = frames.find(({ ts }) => ts > event.ts);
      if (frame === undefined) return [];
      const part = tasks.slice(taskOf(event), taskOf(frame) + 1);
      const sum = (of: (task: TraceEvent) => number | undefined): number =>
        part.reduce((total, task) => total + (of(task) ?? 0), 0) / 1000;
      return [{ cpuMs: sum(({ tdur }) => tdur), wallMs: sum(({ dur }) => dur) }];
    });
}
