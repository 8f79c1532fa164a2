import { DATA_SETTINGS } from './data-setting-table.ts';
import { PAYMENT_SETTINGS } from './payment-setting-table.ts';
import type { SettingSpec } from './setting-spec.ts';

/** The one schema of the configuration: flags, environment, --help and --print-config come from it. */
export const SETTINGS = {
  host: { flag: 'host', env: 'HOST', type: 'text', fallback: '127.0.0.1', about: 'address to listen on' },
  port: {
    flag: 'port',
    env: 'PORT',
    type: 'integer',
    fallback: '8402',
    minimum: 0,
    maximum: 65_535,
    about: 'port of the API; 0 takes a free one',
  },
  baseUrl: {
    flag: 'base-url',
    env: 'BASE_URL',
    type: 'text',
    notInDemo: true,
    about:
      'public address of this service, as buyers reach it; required where something is sold, else http://<host>:<port>',
  },
  dataDir: {
    flag: 'data-dir',
    env: 'DATA_DIR',
    type: 'text',
    fallback: 'var/data',
    about: 'folder of the embedded stores (ledger, identities, history)',
  },
  role: {
    flag: 'role',
    env: 'ROLE',
    type: 'list',
    notInDemo: true,
    fallback: 'all',
    about:
      'what this process does: all, or of collect, sell and record those that it is to do, comma separated; without collect it wants a feed from those that do',
  },
  ...DATA_SETTINGS,
  ...PAYMENT_SETTINGS,
  data: {
    flag: 'data',
    env: 'DATA',
    type: 'text',
    fallback: 'live',
    choices: ['live', 'simulated'],
    about: 'what the venues are; said in every health and discovery document',
  },
  freePerSecond: {
    flag: 'free-per-second',
    env: 'FREE_PER_SECOND',
    type: 'integer',
    fallback: '50',
    minimum: 0,
    maximum: 100_000,
    about:
      'free requests a second that one client address may make, four times as many at once; 0 = no limit',
  },
  maxConnections: {
    flag: 'max-connections',
    env: 'MAX_CONNECTIONS',
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    about:
      'connections of clients that are open at once, a quarter of them from one address; default what the limit of open files leaves, at most 10000',
  },
  shutdownNoticeSeconds: {
    flag: 'shutdown-notice-seconds',
    env: 'SHUTDOWN_NOTICE_SECONDS',
    type: 'integer',
    fallback: '0',
    minimum: 0,
    maximum: 60,
    about:
      'how long it still answers after SIGTERM while /v1/health and /readyz say that it stops: as long as a load balancer takes to notice',
  },
  trustProxy: {
    flag: 'trust-proxy',
    env: 'TRUST_PROXY',
    type: 'text',
    fallback: 'false',
    about: 'whom to believe about client addresses: false, true (one proxy), a number, or networks',
  },
  logLevel: {
    flag: 'log-level',
    env: 'LOG_LEVEL',
    type: 'text',
    fallback: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    about: 'least level that is logged',
  },
} as const satisfies Record<string, SettingSpec>;
