import { join } from 'node:path';
import type { EventStream } from '../../api/http/event-stream.ts';
import type { RequestHandler } from '../../api/http/http-server.ts';
import type { Host, OpenModule } from '../../host/module.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import { isPaid } from '../../pay/record.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, SECOND_MS } from '../../runtime/duration.ts';
import { fill } from '../../runtime/port.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { createOwner } from '../../storage/process-owner.ts';
import { RECEIPTS } from '../receipts/port.ts';
import { deliveryMetrics } from '../webhook/delivery-metrics.ts';
import { WatchDesk } from './desk.ts';
import { TURN_MS, WatchEngine, type WatchEngineOptions, type WatchListener } from './engine.ts';
import { watchMetrics } from './metrics.ts';
import { openDeliveries } from './open-deliveries.ts';
import { type OperatorParts, operatorHandler } from './operator.ts';
import { WATCHES } from './port.ts';
import { OperatorRules } from './rules.ts';
import { readRulesFile } from './rules-file.ts';
import { SETTINGS } from './settings.ts';
import { STATEMENT_TYPE, statementOf } from './statement.ts';
import { watchRead } from './watch.ts';
import { watchDay } from './watch-day.ts';
import { watchMonth } from './watch-month.ts';
import type { WatchRecord } from './watch-record.ts';
import { openWatchStore, type WatchStore } from './watch-store.ts';
import { WatchStream } from './watch-stream.ts';

/** Routes that sell watches. */
const SOLD: readonly string[] = [watchDay.id, watchMonth.id];

/** Sales are read again as far back as this when the module opens: a process that was killed has told nobody of its last ones. */
const RECOVERED_MS = 2 * DAY_MS;

/** Everything that a product may look at, as the engine sees it. */
const portsOf = ({ market, books, health, clock, history, readPort }: Host): Ports => ({
  market: market.view,
  books: books.view,
  health,
  clock,
  ...(history !== undefined && { history }),
  readPort,
});

/**
 * Opens the store of watches in the data folder, and holds its watches where no other process does.
 *
 * @throws StoreOpenError where the store is a newer build's, or could not be upgraded
 */
export async function openWatches(host: Host): Promise<OpenModule> {
  const { options, clock, payments, logger } = host;
  const store = openWatchStore(join(options.dataDir, 'watches'));
  const onError = (cause: unknown): void => logger.warn({ reason: reasonOf(cause) }, 'a watch failed');
  const listeners: WatchListener[] = [];
  const engine = engineOver(host, store, { listener: everyOne(listeners), onError });
  const isCharging = payments.ledger !== undefined;
  const { deliveries, listener } = openDeliveries(host, store);
  const desk = new WatchDesk({ store, engine, clock, isCharging, delivery: deliveries });
  const stream = new WatchStream(desk);
  const rules = rulesOf(host, desk);
  const operator = operatorOf(host, {
    engine,
    desk: new WatchDesk({ store, engine, clock, isCharging: false, delivery: deliveries }),
    deliveries,
    rules: () => rules.states,
  });
  listeners.push(listener, { ...DEAF, told: (firing) => stream.tell(firing) });
  for (const id of SOLD) payments.hearSales(id, (sale, answer) => desk.sold(sale, answer));
  const recovered = recover(host, desk).catch(onError);
  const turns = new Turns(onError);
  return {
    ports: [fill(WATCHES, desk)],
    operatorHandlers: [operator],
    streams: new Map<string, EventStream>([[watchRead.id, stream]]),
    metrics: [...watchMetrics({ engine, stream }), ...deliveryMetrics(deliveries)],
    listens: { changed: (state, change) => engine.touch(state, change) },
    start: async () => {
      await recovered;
      turns.every(TURN_MS, () => {
        engine.turn();
        if (engine.holds) rules.turn(clock.now());
      });
      turns.every(SECOND_MS, () => stream.turn(engine.holds));
      return undefined;
    },
    stop: async () => {
      turns.stop();
      stream.close();
      engine.stop();
      await deliveries.stop();
      await store.close();
    },
  };
}

const operatorOf = (
  host: Host,
  parts: Pick<OperatorParts, 'engine' | 'desk' | 'deliveries' | 'rules'>,
): RequestHandler => {
  const { routes, report } = host;
  return operatorHandler({ ...parts, ports: portsOf(host), routes, report });
};

/** The operator's rules, as `check` has found them to be in order. @throws Error where the file changed meanwhile and is not */
function rulesOf({ settings, market, routes }: Host, desk: WatchDesk): OperatorRules {
  const { watchRules } = settings(SETTINGS);
  const read = watchRules === undefined ? { ok: true as const, rules: [] } : readRulesFile(watchRules);
  if (!read.ok) throw new Error(`WATCH_RULES: ${read.errors.join('; ')}`);
  return new OperatorRules(read.rules, { desk, market: market.view, routes });
}

/** The engine over a service, with statements that the receipt key signs. */
function engineOver(
  host: Host,
  store: WatchStore,
  given: Pick<WatchEngineOptions, 'listener' | 'onError'>,
): WatchEngine {
  const { routes, clock, readPort } = host;
  const statement = (record: WatchRecord): string | undefined =>
    readPort(RECEIPTS)?.sign(statementOf(record, clock.now()), STATEMENT_TYPE);
  return new WatchEngine({
    ...given,
    store,
    ports: portsOf(host),
    routes,
    clock,
    owner: createOwner(),
    statementOf: statement,
  });
}

/** Recurring work; a turn that fails is followed by the next. */
class Turns {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onError: (cause: unknown) => void;

  constructor(onError: (cause: unknown) => void) {
    this.#onError = onError;
  }

  every(ms: number, turn: () => void): void {
    const guarded = (): void => {
      try {
        turn();
      } catch (cause) {
        this.#onError(cause);
      }
    };
    this.#timers.push(setInterval(guarded, ms).unref());
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

const DEAF: WatchListener = { held: () => {}, released: () => {}, forgotten: () => {}, told: () => {} };

const everyOne = (listeners: readonly WatchListener[]): WatchListener => ({
  held: (record) => {
    for (const each of listeners) each.held(record);
  },
  released: (id) => {
    for (const each of listeners) each.released(id);
  },
  forgotten: (id) => {
    for (const each of listeners) each.forgotten(id);
  },
  told: (firing) => {
    for (const each of listeners) each.told(firing);
  },
});

/** Registers what was paid for and, since the process was killed at that moment, not registered. */
async function recover({ payments: { ledger }, clock }: Host, desk: WatchDesk): Promise<void> {
  if (ledger === undefined) return;
  for await (const record of newestFirst(ledger)) {
    if (record.claimedAt < clock.now() - RECOVERED_MS) return;
    if (!SOLD.includes(record.routeId) || !isPaid(record) || record.answerId === undefined) continue;
    const answer = await ledger.answer(record);
    if (answer !== undefined) desk.sold(record, answer);
  }
}
