import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UnixMs } from '../domain/units.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentRecord } from './record.ts';

const PAGE = 500;

/**
 * All payments of a ledger, the newest first; of those of one millisecond the greatest key first. Pages overlap by the last
 * millisecond: several payments may have been claimed in it. Other work of the event loop goes on between two pages.
 *
 * @param to only payments that were claimed before this time
 */
export async function* newestFirst(ledger: Pick<Ledger, 'list'>, to?: UnixMs): AsyncGenerator<PaymentRecord> {
  let before = to;
  let seen = new Set<string>();
  for (let limit = PAGE; ; ) {
    const page = await ledger.list({ limit, ...(before === undefined ? {} : { before }) });
    const fresh = page.filter(({ key }) => !seen.has(key));
    yield* fresh;
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return;
    await nextTurn();
    // A whole page of one millisecond: the next one must reach further.
    limit = fresh.length === 0 ? limit * 2 : PAGE;
    before = (last.claimedAt + 1) as UnixMs;
    seen = new Set(page.filter(({ claimedAt }) => claimedAt === last.claimedAt).map(({ key }) => key));
  }
}
