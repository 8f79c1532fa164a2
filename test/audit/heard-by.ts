import { silentLogger } from '../../src/collect/logger.ts';
import type { MarketSink } from '../../src/collect/ports.ts';
import { asMs } from '../../src/domain/units.ts';
import { createBookStore } from '../../src/market/books/book-store.ts';
import type { Market } from '../../src/market/live-table.ts';
import type { Audit } from '../../src/modules/audit/audit.ts';
import { Tape } from '../../src/tape/tape.ts';

/** The receiver of a table's data, with the rules listening. */
export function heardBy(audit: Audit, market: Market): MarketSink {
  const books = createBookStore({ clock: { now: () => asMs(0) } }).bookSink;
  const tape = new Tape({ table: market.sink, books, logger: silentLogger });
  tape.listen('audit', audit.listener(market));
  return tape.sinks.market;
}
