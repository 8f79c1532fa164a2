/**
 * A recorder as a process of its own, over the lease of a real NATS server and a store on a real ClickHouse
 * server, in a time that passes faster. It prints its part on each change, and ends properly on command.
 */
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import { makeRow } from '../../src/market/row-fixture.ts';
import { openNatsFeed } from '../../src/modules/cluster/nats/nats-feed.ts';
import { openCorrectedReading } from '../../src/modules/corrections/correction-watch.ts';
import { systemTimer, type Timer } from '../../src/runtime/timer.ts';
import { selling } from '../feed/feed-hosts.ts';
import { valueIn } from './load.ts';
import { CONTRACTS, DATABASE, FASTER, START, timeOf } from './recorder-time.ts';

const { NATS = '', CLICKHOUSE = '', BEGUN = '' } = process.env;
const SAY_MS = 20;

const clock = { now: () => asMs(timeOf(Number(BEGUN))) };
const timer: Timer = (ms, run) => systemTimer(ms / FASTER, run);
const feed = await openNatsFeed({ url: NATS, clock: systemClock, logger: silentLogger });
selling(systemClock, (into) => feed.follow(into));
const rows = Array.from({ length: CONTRACTS }, (_, i) =>
  makeRow({ venue: 'binance', symbol: `C${i}USDT`, ticker: `C${i}`, canonicalId: `crypto:C${i}` }),
);
const history = valueIn(
  await openHistory({
    engine: { engine: 'server', urls: [CLICKHOUSE], database: DATABASE },
    clock,
    timer,
    logger: silentLogger,
    retention: DEFAULT_RETENTION,
    reading: openCorrectedReading,
    rows: () => rows,
    health: { of: () => undefined, all: () => [] },
    recordsOf: (venue, symbol) => [
      {
        venue,
        symbol,
        canonicalId: `crypto:${symbol}`,
        ticker: symbol,
        assetClass: 'crypto',
        basis: 'registry',
        validFrom: asMs(START),
      },
    ],
    lease: feed.historyLease(),
  }),
);
let said = '';
const telling = setInterval(() => {
  const { part } = history.state();
  if (part !== said) process.stdout.write(`${part}\n`);
  said = part;
}, SAY_MS);

process.once('message', async () => {
  await history.stop();
  await feed.close();
  clearInterval(telling);
  process.disconnect();
});
