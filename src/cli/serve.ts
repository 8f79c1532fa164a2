import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { connectionLimits } from '../api/http/connection-gate.ts';
import { readTrustProxy, type TrustProxy } from '../api/request/address.ts';
import type { BaseOverrides } from '../collect/collector.ts';
import { ROLES, type Role } from '../feed/ports.ts';
import { engineFault } from '../history/embedded.ts';
import type { GivenSettings } from '../host/command.ts';
import { seamsOf } from '../host/given-seams.ts';
import { LogTail } from '../host/log-tail.ts';
import type { Module, VenueSource } from '../host/module.ts';
import { moduleFaults, modulesOn, moduleVenues, reading } from '../host/open-modules.ts';
import type { ServiceOptions, StartedService } from '../host/options.ts';
import { freePort } from '../host/process/free-port.ts';
import { portFault } from '../host/process/port-holder.ts';
import { type ShutdownSignal, untilShutdownSignal } from '../host/process/shutdown-signal.ts';
import { routeTableOf } from '../host/route-table.ts';
import type { Seams } from '../host/seams.ts';
import { startService } from '../host/service.ts';
import { allSpecs } from '../host/settings/all-settings.ts';
import { configurationOf } from '../host/settings/configuration.ts';
import { historySettings } from '../host/settings/history-settings.ts';
import { paymentConfigOf } from '../host/settings/payment-settings.ts';
import { readPriceFile } from '../host/settings/price-file.ts';
import { printableSettings } from '../host/settings/printable-settings.ts';
import type { SettingSpecs, Settings } from '../host/settings/settings.ts';
import { unreadVariables } from '../host/settings/unread-variables.ts';
import { readBases, readVenues } from '../host/settings/venue-settings.ts';
import { VERSION } from '../host/version.ts';
import type { PaymentConfig } from '../pay/config.ts';
import type { PriceChangeEntry } from '../pay/price-list.ts';
import { SECOND_MS } from '../runtime/duration.ts';
import type { VenueAdapter } from '../venues/adapter.ts';
import { openDataFolder } from './data-folder.ts';
import { descriptorLimit } from './descriptor-limit.ts';
import { recorderWarnings } from './recorder-warnings.ts';
import { reportToServiceManager } from './service-manager.ts';

/** Settings that passed, in the service's own types. */
interface Checked {
  readonly venues: readonly VenueAdapter[];
  readonly transports: VenueSource['transports'];
  /** Warnings about the venues, and about parts that are shared with other processes. */
  readonly warnings: readonly string[];
  readonly bases: BaseOverrides;
  readonly trustProxy: TrustProxy;
  readonly payments: PaymentConfig;
  readonly priceChanges: readonly PriceChangeEntry[];
  readonly roles: ReadonlySet<Role>;
}

/** Longest time that a service stays when the process that started it is gone. */
const ORPHAN_MS = 2000;

/**
 * The percentage of live data (some 100 MB) by which the heap grows before it is collected again. V8 itself
 * lets a heap of this size grow fourfold; some 6 MB a second outlive their youth, so that it is marked every
 * six seconds.
 */
const HEAP_GROWTH_PERCENT = 40;
/** First Node.js whose V8 has `--memory-saver-mode`; the service's memory without pretenuring is measured there alone. */
const MEMORY_SAVER_NODE = 24;

/** Reads the roles of this process. */
function readRoles({ role }: Settings, { feed }: Seams, errors: string[]): ReadonlySet<Role> {
  const roles = new Set(ROLES.filter((known) => role.includes(known) || role.includes('all')));
  const unknown = role.filter((name) => name !== 'all' && !ROLES.some((known) => known === name));
  if (unknown.length > 0 || roles.size === 0) {
    errors.push(`--role (PERPMETER_ROLE) must be all, or of ${ROLES.join(', ')}, not "${role.join(',')}"`);
  } else if (!roles.has('collect') && feed === undefined) {
    errors.push(
      '--role without collect wants a feed from the processes that collect: the setting of its server is missing',
    );
  }
  return roles;
}

/** Checks everything that can be checked before anything is started; all faults at once. */
async function check(
  { settings, given }: GivenSettings,
  modules: readonly Module[],
  port: number,
): Promise<Checked | readonly string[]> {
  const errors: string[] = [];
  const read = reading(settings);
  const seams = seamsOf(modules, read);
  const native = readVenues(settings.venues, errors);
  const bases = readBases(settings.venueBases, errors);
  const extra = await moduleVenues(modules, read, { bases, native: native.map(({ id }) => id) });
  errors.push(...extra.errors);
  const trustProxy = readTrustProxy(settings.trustProxy);
  if (trustProxy === undefined) {
    errors.push('TRUST_PROXY must be false, true, a number of proxies, or a list of networks');
  }
  errors.push(...(await moduleFaults(modules, read, given)));
  const roles = readRoles(settings, seams, errors);
  const { priceLists } = await routeTableOf(modulesOn(modules, read));
  const priceChanges = readPriceFile(settings.pricesFile, priceLists, errors);
  const payments = paymentConfigOf(settings, port, roles.has('sell'));
  if (!payments.ok) errors.push(...payments.errors);
  if (trustProxy === undefined || !payments.ok || errors.length > 0) return errors;
  return {
    venues: [...native, ...extra.adapters],
    transports: extra.transports,
    warnings: [
      ...extra.warnings,
      ...recorderWarnings(settings, roles, seams),
      ...unreadVariables(allSpecs(modules), process.env),
    ],
    bases,
    trustProxy,
    payments: payments.value,
    priceChanges,
    roles,
  };
}

/** Where history is kept or, without the role, read: what another process keeps in its data folder cannot be. */
function historyOf(settings: Settings, roles: ReadonlySet<Role>) {
  if (settings.history !== 'on') return undefined;
  const history = historySettings(settings);
  if (!roles.has('record') && history.engine.engine === 'embedded') return undefined;
  return history;
}

/** Ends soon after the parent, so that one that is started again finds ports and folders free. */
function endWithParent(reason: ShutdownSignal): void {
  if (reason === 'disconnect') setTimeout(() => process.exit(1), ORPHAN_MS).unref();
}

/** An open channel to the parent would keep this process alive. */
function leaveParent(): void {
  if (process.connected) process.disconnect();
}

function complain(errors: readonly string[]): number {
  process.stderr.write(`perpmeter: the service does not start:\n`);
  for (const error of errors) process.stderr.write(`  - ${error}\n`);
  leaveParent();
  return 2;
}

/** The service's options by its settings; logs parts that are left out. */
async function serviceOptions(
  settings: Settings,
  checked: Checked,
  parts: { readonly port: number; readonly logger: Logger },
): Promise<ServiceOptions> {
  const { host, data, dataDir, booksPerVenue, freePerSecond } = settings;
  const shutdownNoticeMs = settings.shutdownNoticeSeconds * SECOND_MS;
  const { port, logger } = parts;
  const history = historyOf(settings, checked.roles);
  const fault = history?.engine.engine === 'embedded' ? await engineFault() : undefined;
  if (fault !== undefined) logger.warn(`history is off: ${fault}`);
  return {
    ...checked,
    host,
    port,
    data,
    dataDir,
    booksPerVenue,
    version: VERSION,
    logger,
    shutdownNoticeMs,
    connectionLimits: connectionLimits(descriptorLimit(), settings.maxConnections),
    ...(freePerSecond > 0 && { freePerSecond }),
    ...(history !== undefined && fault === undefined && { history }),
  };
}

function sayListening(
  { payments, roles, venues, warnings }: Checked,
  data: string,
  listening: StartedService['listening'],
  logger: Logger,
): void {
  const served = { data, payments: payments.mode, roles: [...roles], venues: venues.length };
  logger.info({ address: payments.baseUrl, ...listening, ...served }, 'listening');
  for (const warning of warnings) logger.warn(warning);
  if (payments.mode !== 'off' || !roles.has('sell')) return;
  logger.warn('payments are off: everything is served free; set PAY_TO_ADDRESS and FACILITATOR_URL to sell');
}

/** V8's garbage collector as a service that shares its machine wants it. */
function setCollectorFlags(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Its threads wait for cores that the engine of the history and other processes use: one thread is done earlier.
  setFlagsFromString('--no-parallel-scavenge');
  if (Number.parseInt(process.versions.node, 10) < MEMORY_SAVER_NODE) return;
  // Collections move what is alive out of sparse pages sooner: long-lived objects of many ages leave the heap in pieces.
  setFlagsFromString('--memory-saver-mode');
  // Chance at start decides whether V8 allocates what `process.nextTick` queues among the old: each call is then slow.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Prints the effective configuration. */
export function printConfigCommand(
  specs: SettingSpecs,
  settings: GivenSettings['settings'],
  seams: Seams,
): number {
  process.stdout.write(`${JSON.stringify(printableSettings(specs, settings, seams), null, 2)}\n`);
  return 0;
}

/**
 * Runs the service until a signal ends it.
 * @returns exit code: 0 stopped in order, 2 configuration refused
 */
export async function serveCommand(
  { settings: asked, given, sources }: GivenSettings,
  modules: readonly Module[],
): Promise<number> {
  setCollectorFlags();
  // A relative folder is made without end where the folder that this was started in is deleted meanwhile.
  const settings = { ...asked, dataDir: resolve(asked.dataDir) };
  const port = settings.port === 0 ? await freePort(settings.host) : settings.port;
  const taken = await portFault(settings.host, port);
  if (taken !== undefined) return complain([taken]);
  const checked = await check({ settings, given, sources }, modules, port);
  if ('length' in checked) return complain(checked);
  const log = new LogTail(pino.destination({ dest: 2, sync: false }));
  const logger = pino({ level: settings.logLevel }, log);
  const signal = untilShutdownSignal();
  void signal.then(endWithParent);
  const openFolder = openDataFolder(settings.dataDir);
  if (openFolder !== undefined) logger.warn(openFolder);
  const options = await serviceOptions(settings, checked, { port, logger });
  const configuration = configurationOf(allSpecs(modules), { settings, sources });
  const started = await startService(options, { modules, settings: reading(settings), log, configuration });
  if (!started.ok) return complain(started.errors);
  const service = started.value;
  sayListening(checked, settings.data, service.listening, logger);
  const endReports = reportToServiceManager();
  logger.info({ signal: await signal }, 'stopping');
  await service.announceStop();
  endReports();
  await service.stop();
  leaveParent();
  return 0;
}
