import { freePurchases } from '../../host/free-purchase.ts';
import type { Host, OpenModule } from '../../host/module.ts';
import { productPorts } from '../../host/product-ports.ts';
import { HeardSales, type HeardSalesOptions } from '../../pay/heard-sales.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { Turns } from '../../runtime/turns.ts';
import { createOwner, isOwnerGone } from '../../storage/process-owner.ts';
import { afterCarrying, carryAndHear, carryFirst } from '../tables/carried-sales.ts';
import { StreamDesk } from './desk.ts';
import { paidEventStream } from './event-stream.ts';
import { StreamHall, TURN_MS } from './hall.ts';
import { paidStreamMetrics } from './metrics.ts';
import { openStore } from './open-store.ts';
import { PAID_STREAMS } from './port.ts';
import { streamDay } from './stream-day.ts';
import { streamHour } from './stream-hour.ts';
import { streamMinute } from './stream-minute.ts';
import { streamState } from './stream-state.ts';
import { streamTenMinutes } from './stream-ten-minutes.ts';
import { TopicBoard } from './topic-board.ts';

const SOLD = [streamMinute, streamTenMinutes, streamHour, streamDay] as const;

/** Sales that nobody here has heard of are looked for this often. */
const SALES_MS = 30 * SECOND_MS;

/**
 * Opens the store of paid streams, of this host or of several, and credits what a process that was killed has broken off.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export async function openPaidStreams(host: Host): Promise<OpenModule> {
  const { payments, logger, routes, report } = host;
  const ports = productPorts(host);
  const { store, clock, carry } = await openStore(host);
  const owner = createOwner();
  const onError = (cause: unknown): void => logger.warn({ reason: reasonOf(cause) }, 'a paid stream failed');
  const hall = new StreamHall({ store, board: new TopicBoard(ports, onError), clock, owner, onError });
  const readers = (id: string): number => hall.readersOf(id);
  const isCharging = payments.ledger !== undefined;
  const desk = new StreamDesk({ store, clock, isCharging, readers });
  const granting = new StreamDesk({ store, clock, isCharging: false, readers });
  const sales = hearSales(host, afterCarrying(carry, desk, store), onError);
  // Before payments begin to let go of answers, which they may have kept for longer than they must.
  await carryFirst(carry, store, onError);
  const hearAll = carryAndHear(carry, sales, onError);
  await sales.round();
  await Promise.resolve(store.recover(owner, clock.now(), isOwnerGone)).catch(onError);
  const turns = new Turns(onError);
  return {
    ports: [fill(PAID_STREAMS, desk)],
    operatorHandlers: [
      freePurchases({ products: SOLD, port: PAID_STREAMS, granting, ports, routes, report }),
    ],
    streams: new Map([[streamState.id, paidEventStream(desk, hall)]]),
    metrics: paidStreamMetrics(hall),
    start: () => {
      turns.every(TURN_MS, () => hall.turn());
      turns.every(SALES_MS, () => void hearAll());
      return undefined;
    },
    stop: async () => {
      turns.stop();
      await hall.stop();
      await store.close();
    },
  };
}

/** Every sale of minutes adds them. */
function hearSales(
  { payments, clock }: Host,
  hear: HeardSalesOptions['hear'],
  onError: (cause: unknown) => void,
): HeardSales {
  const routeIds = SOLD.map(({ id }) => id);
  const sales = new HeardSales({ ledger: payments.ledger, clock, routeIds, hear, onError });
  for (const id of routeIds) payments.hearSales(id, sales.hook);
  return sales;
}
