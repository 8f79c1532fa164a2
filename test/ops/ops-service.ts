import { join } from 'node:path';
import { pino } from 'pino';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { GivenSettings } from '../../src/host/command.ts';
import { LogTail } from '../../src/host/log-tail.ts';
import { reading } from '../../src/host/open-modules.ts';
import type { Service, ServiceOptions } from '../../src/host/options.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import { startService } from '../../src/host/service.ts';
import { allSpecs } from '../../src/host/settings/all-settings.ts';
import { configurationOf } from '../../src/host/settings/configuration.ts';
import { readSettings } from '../../src/host/settings/settings.ts';
import { MODULES } from '../../src/modules/list.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';
import { adapterOf } from '../../src/venues/registry.ts';
import { scratchFolder } from '../cli/run-cli.ts';

const HOST = '127.0.0.1';
/** Nobody listens there: nothing of a venue, a facilitator or a chain is needed to tell metrics. */
const NOWHERE = 'http://127.0.0.1:9';

/** As little work as the modules can be set to, and an admin port; the others of their settings are the defaults. */
const SETTINGS = {
  adminPort: '0',
  backfillDays: '1',
  backfillContracts: '1',
  secondReaderMinutes: '0',
  secondReaderCcxt: 'off',
  record: 'all',
};

export interface OpsService {
  readonly base: string;
  readonly service: Service;
  metrics(): Promise<string>;
  /** A document of the operator's port. */
  operator(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

const paymentsAt = (base: string, dataDir: string) =>
  parsePaymentConfig(
    {
      PAY_TO_ADDRESS: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      BASE_URL: base,
      FACILITATOR_URL: NOWHERE,
      RPC_URL: NOWHERE,
      CHANNEL_AUTHORIZER_KEY: `0x${'17'.repeat(32)}`,
      LEDGER_PATH: join(dataDir, 'ledger'),
    },
    HOST,
  );

/** The whole service with everything that has metrics, and its admin port. */
export async function startOpsService(): Promise<OpsService> {
  const dataDir = scratchFolder();
  const port = await freePort(HOST);
  const base = `http://${HOST}:${port}`;
  const payments = paymentsAt(base, dataDir);
  const okx = adapterOf('okx');
  if (!payments.ok || okx === undefined) throw new Error(JSON.stringify(payments));
  const options: ServiceOptions = {
    host: HOST,
    port,
    dataDir,
    version: '0.0.0',
    data: 'simulated',
    venues: [okx],
    bases: { okx: Object.fromEntries(Object.keys(okx.bases).map((name) => [name, NOWHERE])) },
    payments: payments.value,
    trustProxy: { kind: 'none' },
    history: {
      engine: { engine: 'embedded', path: join(dataDir, 'history'), database: 'perpmeter' },
      retention: DEFAULT_RETENTION,
    },
    logger: pino({ level: 'silent' }),
  };
  const read = readSettings(allSpecs(MODULES), { ...SETTINGS, dataDir }, {});
  if (!read.ok) throw new Error(read.errors.join('\n'));
  const configuration = configurationOf(allSpecs(MODULES), {
    settings: read.settings as GivenSettings['settings'],
    sources: read.sources,
  });
  const given = { modules: MODULES, settings: reading(read.settings), log: new LogTail(), configuration };
  const started = await startService(options, given);
  if (!started.ok) throw new Error(started.errors.join('\n'));
  const service = started.value;
  const { admin = '' } = service.listening;
  return {
    base,
    service,
    metrics: async () => (await fetch(`${admin}/metrics`)).text(),
    operator: async (path) => (await fetch(admin + path)).json(),
    stop: () => service.stop(),
  };
}
