import { join } from 'node:path';
import { pino } from 'pino';
import { LogTail } from '../../src/host/log-tail.ts';
import type { Module } from '../../src/host/module.ts';
import { reading } from '../../src/host/open-modules.ts';
import type { ServiceOptions, ServiceResult } from '../../src/host/options.ts';
import { startService } from '../../src/host/service.ts';
import { parsePaymentConfig } from '../../src/pay/config.ts';

const HOST = '127.0.0.1';

interface Small extends Partial<ServiceOptions> {
  /** Folder of its stores. */
  readonly dataDir: string;
  readonly modules: readonly Module[];
  /** Settings of the modules, by their names. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Starts a service on loopback that charges nothing and, unless it is given some, collects no venue. */
export function startSmall({ modules, settings = {}, ...options }: Small): Promise<ServiceResult> {
  const payments = parsePaymentConfig(
    { PAYMENTS_MODE: 'off', BASE_URL: `http://${HOST}:1`, LEDGER_PATH: join(options.dataDir, 'ledger') },
    HOST,
  );
  if (!payments.ok) throw new Error(payments.errors.join('\n'));
  return startService(
    {
      host: HOST,
      port: 0,
      version: '0.0.0',
      venues: [],
      bases: {},
      data: 'simulated',
      payments: payments.value,
      trustProxy: { kind: 'none' },
      logger: pino({ level: 'silent' }),
      ...options,
    },
    { modules, settings: reading(settings), log: new LogTail() },
  );
}
