import type { EventStream } from '../../api/http/event-stream.ts';
import type { RequestHandler } from '../../api/http/http-server.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Host, OpenModule } from '../../host/module.ts';
import { productPorts } from '../../host/product-ports.ts';
import { HeardSales, type HeardSalesOptions } from '../../pay/heard-sales.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { Turns } from '../../runtime/turns.ts';
import { createOwner } from '../../storage/process-owner.ts';
import { RECEIPTS } from '../receipts/port.ts';
import { afterCarrying, carryAndHear, carryFirst } from '../tables/carried-sales.ts';
import { deliveryMetrics } from '../webhook/delivery-metrics.ts';
import { WatchDesk } from './desk.ts';
import { TURN_MS, WatchEngine } from './engine.ts';
import type { WatchEngineOptions } from './engine-options.ts';
import { watchMetrics } from './metrics.ts';
import { openDeliveries } from './open-deliveries.ts';
import { openStores, type WatchStores } from './open-stores.ts';
import { type OperatorParts, operatorHandler } from './operator.ts';
import { RULES, type Rules, WATCHES } from './port.ts';
import { STATEMENT_TYPE, statementOf } from './statement.ts';
import { watchRead } from './watch.ts';
import { watchDay } from './watch-day.ts';
import { everyOne, type WatchListener } from './watch-listener.ts';
import { watchMonth } from './watch-month.ts';
import type { WatchRecord } from './watch-record.ts';
import { WatchStream } from './watch-stream.ts';

/** Routes that sell watches. */
const SOLD: readonly string[] = [watchDay.id, watchMonth.id];

/** Sales that nobody here has heard of are looked for this often. */
const SALES_MS = 30 * SECOND_MS;

/**
 * Opens the store of watches, of this host or of several, and holds its watches where no other process does.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export async function openWatches(host: Host): Promise<OpenModule> {
  const { payments, logger, readPort } = host;
  const stores = await openStores(host);
  const { store, clock, carry } = stores;
  const onError = (cause: unknown): void => logger.warn({ reason: reasonOf(cause) }, 'a watch failed');
  const listeners: WatchListener[] = [];
  const engine = engineOver(host, stores, { listener: everyOne(listeners), onError });
  const isCharging = payments.ledger !== undefined;
  const { deliveries, listener } = openDeliveries(host, stores, () => engine.term);
  const desk = new WatchDesk({ store, engine, clock, isCharging, delivery: deliveries });
  const stream = new WatchStream(desk);
  const operator = operatorOf(host, {
    engine,
    desk: new WatchDesk({ store, engine, clock, isCharging: false, delivery: deliveries }),
    deliveries,
    rules: () => readPort(RULES).states,
  });
  listeners.push(listener, { ...DEAF, told: (firing) => stream.tell(firing) });
  const sales = hearSales(host, afterCarrying(carry, desk, store), onError);
  // Before payments begin to let go of answers, which they may have kept for longer than they must.
  await carryFirst(carry, store, onError);
  const hearAll = carryAndHear(carry, sales, onError);
  await sales.round();
  const turns = new Turns(onError);
  return {
    ports: [fill(WATCHES, desk)],
    operatorHandlers: [operator],
    streams: new Map<string, EventStream>([[watchRead.id, stream]]),
    metrics: [...watchMetrics({ engine, stream }), ...deliveryMetrics(deliveries)],
    listens: { changed: (state, change) => engine.touch(state, change) },
    start: async () => {
      turns.every(TURN_MS, () => turn(engine, readPort(RULES), clock));
      turns.every(SALES_MS, () => void hearAll());
      turns.every(SECOND_MS, () => stream.turn(engine.holds));
      return undefined;
    },
    stop: async () => {
      turns.stop();
      stream.close();
      await engine.stop();
      await deliveries.stop();
      await store.close();
    },
  };
}

function turn(engine: WatchEngine, rules: Rules, clock: Clock): void {
  engine.turn();
  if (engine.holds) rules.turn(clock.now());
}

/** Every sale of a watch registers it. */
function hearSales(
  { payments, clock }: Host,
  hear: HeardSalesOptions['hear'],
  onError: (cause: unknown) => void,
): HeardSales {
  const sales = new HeardSales({ ledger: payments.ledger, clock, routeIds: SOLD, hear, onError });
  for (const id of SOLD) payments.hearSales(id, sales.hook);
  return sales;
}

const operatorOf = (
  host: Host,
  parts: Pick<OperatorParts, 'engine' | 'desk' | 'deliveries' | 'rules'>,
): RequestHandler => {
  const { routes, report } = host;
  return operatorHandler({ ...parts, ports: productPorts(host), routes, report });
};

/** The engine over a service, with statements that the receipt key signs. */
function engineOver(
  host: Host,
  { store, clock }: Pick<WatchStores, 'store' | 'clock'>,
  given: Pick<WatchEngineOptions, 'listener' | 'onError'>,
): WatchEngine {
  const { routes, readPort } = host;
  const statement = (record: WatchRecord): string | undefined =>
    readPort(RECEIPTS)?.sign(statementOf(record, clock.now()), STATEMENT_TYPE);
  return new WatchEngine({
    ...given,
    store,
    ports: productPorts(host),
    routes,
    clock,
    owner: createOwner(),
    statementOf: statement,
  });
}

const DEAF: WatchListener = { held: () => {}, released: () => {}, forgotten: () => {}, told: () => {} };
