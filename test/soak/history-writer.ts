/**
 * Child of the soak: writes samples as the running service does and prints the batches that were confirmed as
 * safe. It is killed at any moment. Arguments: folder, first time (s), rows a batch, ms between batches.
 */
import { silentLogger } from '../../src/collect/logger.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { openStore } from '../../src/history/open-store.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from '../../src/history/sample-rows.ts';
import { WriteQueue } from '../../src/history/write-queue.ts';
import { systemTimer } from '../../src/runtime/timer.ts';

const [path = '', ...numbers] = process.argv.slice(2);
const [first = 0, rows = 1, everyMs = 100] = numbers.map(Number);
const opened = await openStore({ engine: 'embedded', path });
if (!opened.ok) throw new Error(opened.fault.message);

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const queue = new WriteQueue({
  store: opened.value,
  clock: systemClock,
  timer: systemTimer,
  logger: silentLogger,
  maxRows: 90_000,
  onWritten: ({ from, to }) => say(`safe ${from / 1000} ${to / 1000}`),
});
const encoder = new SampleEncoder();

function offer(second: number): void {
  const at = asMs(second * 1000);
  const lines = Array.from({ length: rows }, (_, i) =>
    encoder.line(
      {
        canonicalId: `crypto:C${i % 300}`,
        ticker: `C${i % 300}`,
        venue: `v${i % 29}`,
        symbol: `C${i}USDT`,
        listedAt: asMs(1_700_000_000_000),
        at,
        origin: 'sampled',
        comparable: true,
        fundingRate: asRate(i * 1e-8),
        fundingIntervalHours: asHours(8),
        markPrice: asPrice(100 + ((second * 7 + i) % 1000) / 100),
      },
      at + 150,
    ),
  );
  queue.offer({ table: 'samples', columns: SAMPLE_COLUMNS, lines, from: at, to: at });
}

say('ready');
let second = first;
setInterval(() => {
  offer(second);
  second += 1;
}, everyMs);
