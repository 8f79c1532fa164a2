import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asRate } from '../../src/domain/units.ts';
import { StreamDesk } from '../../src/modules/paid-stream/desk.ts';
import { paidEventStream } from '../../src/modules/paid-stream/event-stream.ts';
import { StreamHall } from '../../src/modules/paid-stream/hall.ts';
import { type AskedSelection, readSelection } from '../../src/modules/paid-stream/selection.ts';
import { openStreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { TopicBoard } from '../../src/modules/paid-stream/topic-board.ts';
import { createExampleApi } from '../api/example-api.ts';
import { exampleBooks } from '../api/example-books.ts';
import { exampleRows } from '../api/example-market.ts';
import { examplePorts } from '../api/example-ports.ts';
import { atOnce } from '../at-once.ts';
import type { Sale } from '../pay/open-sale.ts';

const SOLD = ['stream-minute', 'stream-ten-minutes', 'stream-hour', 'stream-day'];

/** Rows of the example, the rate of BTC on binance another one. */
const rowsAt = (rate: number) =>
  exampleRows().map((row) =>
    row.venue === 'binance' && row.canonicalId === 'crypto:BTC'
      ? { ...row, fundingRate: asRate(rate), rate8h: rate as never }
      : row,
  );

/**
 * The HTTP surface with paid streams that are really sold, on a clock of the test.
 *
 * @param mode the mode of payments that it states
 */
export async function startStreamService(sale: Sale, mode = sale.info.health().mode) {
  const folder = mkdtempSync(join(tmpdir(), 'stream-service-'));
  const given = createExampleApi({ paywall: sale.payments.paywall, payments: sale.info });
  const { market, clock } = given;
  const store = openStreamStore(folder);
  const onError = (cause: unknown): never => {
    throw cause;
  };
  const board = new TopicBoard({ market, clock, books: exampleBooks() }, onError);
  const hall = new StreamHall({ store, board, clock, owner: 'one', onError });
  const desk = new StreamDesk({ store, clock, isCharging: true, readers: (id) => hall.readersOf(id) });
  const granting = new StreamDesk({ store, clock, isCharging: false, readers: (id) => hall.readersOf(id) });
  for (const id of SOLD) sale.payments.hearSales(id, (record, answer) => desk.sold(record, answer));
  const example = createExampleApi({
    paywall: sale.payments.paywall,
    payments: { ...sale.info, health: () => ({ ...sale.info.health(), mode }) },
    market,
    clock,
    drainMs: 1,
    readPort: examplePorts({ sale: sale.payments.ports, streams: desk }),
    streams: new Map([['stream-state', paidEventStream(desk, hall)]]),
  });
  return {
    url: await example.start(),
    desk,
    hall,
    /** Seconds of the service. */
    turn: (seconds = 1): void => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1000);
        hall.turn();
      }
    },
    /** A stream of the rate of BTC at two venues with so many paid minutes. */
    grant: (minutes: number, asked: AskedSelection = { symbol: 'BTC', venues: 'binance,okx' }) => {
      const selection = readSelection(asked, market);
      if (!selection.ok) throw new Error(selection.error.detail);
      return atOnce(granting.offer(selection.value, minutes));
    },
    extend: (id: string, minutes: number): void => atOnce(granting.extend(id, minutes)),
    /** Requests to the path of streams, by status. */
    statuses: (): ReadonlyMap<number, number> =>
      new Map(example.api.activity.requests.routes.get('stream-state')?.statuses),
    setRate: (rate: number): void => market.replace(rowsAt(rate)),
    stop: async (): Promise<void> => {
      await hall.stop();
      await example.api.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type StreamService = Awaited<ReturnType<typeof startStreamService>>;
