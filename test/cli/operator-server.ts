import { join } from 'node:path';
import { pino } from 'pino';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { INCIDENTS } from '../../src/host/incident-board.ts';
import { LogTail } from '../../src/host/log-tail.ts';
import type { Service } from '../../src/host/options.ts';
import type { ConfigurationRow } from '../../src/host/settings/configuration.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { createMarket, type Market } from '../../src/market/live-table.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { openMarketStore } from '../../src/market/store-lmdb.ts';
import { ACCOUNTING_DOCUMENTS } from '../../src/modules/accounting/documents.ts';
import { Incidents } from '../../src/modules/audit/incidents/incidents.ts';
import { type Admin, startAdmin } from '../../src/modules/operator/admin.ts';
import { AuditLog } from '../../src/modules/operator/audit-log.ts';
import { OPERATOR_DOCUMENTS } from '../../src/modules/operator/document.ts';
import { Trends } from '../../src/modules/operator/trends.ts';
import { PaymentTally } from '../../src/pay/payment-tally.ts';
import { fill, readPorts } from '../../src/runtime/port.ts';
import { memoryIncidentStore } from '../audit/memory-incidents.ts';
import { scratchFolder } from './run-cli.ts';

export const TOKEN = 'a secret of the operator';
/** A symbol as a hostile venue would choose it. */
export const HOSTILE = '<img src=x onerror=alert(1)>';

export interface OperatorServer {
  readonly port: number;
  readonly dataDir: string;
  readonly market: Market;
  readonly log: LogTail;
  close(): Promise<void>;
}

/** OLDC on two venues and NEWC on a third. */
function listContracts(market: Market): void {
  const { sink } = market;
  const list = (venue: string, ...bases: readonly string[]): void => {
    sink.venue(makeVenueInfo({ id: venue }), 5000);
    const instruments = bases.map((base) => makeInstrument({ venue, base, symbol: `${base}USDT` }));
    sink.instruments(venue, instruments, asMs(Date.now()));
    const quotes = instruments.map(({ symbol }) => ({ symbol, markPrice: asPrice(3) }));
    sink.quotes(venue, quotes, asMs(Date.now()));
  };
  list('binance', 'OLDC', HOSTILE);
  list('gate', 'OLDC');
  list('okx', 'NEWC');
  market.sweep();
}

/** These contracts over a real store, behind a real admin port. */
export async function startOperatorServer(options: {
  readonly allowsActions: boolean;
  readonly answer?: Service['answerOperator'];
  readonly dataDir?: string;
  readonly payments?: Service['payments'];
  readonly collector?: Service['collector'];
  readonly trends?: Trends;
  readonly configuration?: readonly ConfigurationRow[];
}): Promise<OperatorServer> {
  const dataDir = options.dataDir ?? scratchFolder();
  const store = openMarketStore(join(dataDir, 'market'));
  const identity = createInstrumentIdentities(store.identities);
  const { decisions, sourceIds } = store;
  const market = createMarket({ clock: { now: () => asMs(Date.now()) }, identity, sourceIds, decisions });
  listContracts(market);
  const incidents = new Incidents(memoryIncidentStore());
  const finding = { rule: 'jump', venue: 'gate', field: 'mark_price', contract: 'OLDCUSDT' };
  incidents.open({ ...finding, evidence: '3 -> 300' }, asMs(Date.now()));
  const log = new LogTail({ write: () => {} });
  log.write(`{"level":40,"msg":"venue call fails","reason":"${HOSTILE}"}\n`);
  // The operator's view of a service, and the registry of metrics.
  const service = {
    readPort: readPorts(fill(INCIDENTS, incidents), fill(OPERATOR_DOCUMENTS, ACCOUNTING_DOCUMENTS)),
    market,
    identities: { identity, decisions },
    answerOperator: options.answer ?? (() => false),
    collector: options.collector,
    health: options.collector?.health,
    payments: options.payments ?? { ledger: undefined, counters: [] },
    tally: new PaymentTally(),
    callCosts: () => [],
    margins: () => [],
    moduleMetrics: [],
    activity: { requests: { routes: new Map() } },
  } as unknown as Service;
  const { allowsActions } = options;
  const logger = pino({ level: 'info' }, { write: () => {} });
  const settings = { logger, configuration: options.configuration ?? [] };
  const trends = options.trends ?? new Trends([]);
  const operator = { service, log, settings, trends, audit: new AuditLog(dataDir), allowsActions };
  const admin: Admin = await startAdmin(operator, 0, TOKEN);
  return {
    port: admin.port,
    dataDir,
    market,
    log,
    async close() {
      await admin.close();
      await store.close();
    },
  };
}
