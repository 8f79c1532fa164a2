import { isWire } from '../../domain/read.ts';
import { serviceToAsk } from '../../host/process/demo-file.ts';
import { wait } from '../../runtime/timer.ts';

export interface BackfillOptions {
  readonly url?: string;
}

const WIDTH = 40;
const POLL_MS = 500;
/** Without a terminal a line is printed this often. */
const LINE_EVERY = 20;

/** A bar of a percentage: `████░░░░  50 %`. */
export function progressBar(percent: number, width = WIDTH): string {
  const full = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(percent).padStart(3)} %`;
}

interface Percents {
  readonly all: number;
  readonly priority: number;
  /** Incomplete fills by venue: `okx 3, gate awaited`. */
  readonly incomplete: string;
}

/** Percent of the back-fill; undefined where the service has none. Rejects when it does not answer. */
async function fetchPercents(base: string): Promise<Percents | undefined> {
  const body: unknown = await (await fetch(new URL('/v1/health', base))).json();
  const store = isWire(body) && isWire(body.store) ? body.store : {};
  const { backfill_pct: all, backfill_majors_pct: priority, backfill_incomplete: venues } = store;
  if (typeof all !== 'number' || typeof priority !== 'number') return undefined;
  const incomplete = (Array.isArray(venues) ? venues.filter(isWire) : [])
    .map(({ venue, contracts }) => `${String(venue)} ${contracts === null ? 'awaited' : String(contracts)}`)
    .join(', ');
  return { all, priority, incomplete };
}

/**
 * Shows how far the back-fill of a running service is, until it is done.
 *
 * @returns exit code: 0 done, 1 the service has no back-fill or does not answer
 */
export async function backfillCommand({ url }: BackfillOptions): Promise<number> {
  const base = serviceToAsk(url);
  for (let turn = 0; ; turn++) {
    let percents: Percents | undefined;
    try {
      percents = await fetchPercents(base);
    } catch {
      process.stderr.write(`backfill: no service answers at ${base}; say where with --url\n`);
      return 1;
    }
    if (percents === undefined) {
      process.stderr.write('backfill: this service fills nothing (HISTORY=off or BACKFILL_DAYS=0)\n');
      return 1;
    }
    show(percents, turn);
    if (percents.all === 100) {
      if (process.stdout.isTTY) process.stdout.write('\n');
      return 0;
    }
    await wait(POLL_MS);
  }
}

function show({ all, priority, incomplete }: Percents, turn: number): void {
  const pending = incomplete === '' ? '' : `  asked again: ${incomplete}`;
  const text = `${progressBar(all)}  priority assets ${priority} %${pending}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
  else if (all === 100 || turn % LINE_EVERY === 0) process.stdout.write(`${text}\n`);
}
