import { DEFAULT_RETENTION } from '../history/retention.ts';

/** One setting: a flag, an environment variable, a type and what it is for. */
export interface SettingSpec {
  readonly flag: string;
  readonly env: string;
  readonly type: 'text' | 'integer' | 'list';
  readonly fallback?: string;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Masked by --print-config. */
  readonly secret?: boolean;
  readonly about: string;
}

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
  adminPort: {
    flag: 'admin-port',
    env: 'ADMIN_PORT',
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    about:
      'port on loopback of metrics, probes, and the page with everything free for the operator; none without it',
  },
  adminToken: {
    flag: 'admin-token',
    env: 'ADMIN_TOKEN',
    type: 'text',
    secret: true,
    about:
      'what requests of the admin port must present, but for metrics and probes; none = whoever is on this machine',
  },
  adminActions: {
    flag: 'admin-actions',
    env: 'ADMIN_ACTIONS',
    type: 'text',
    fallback: 'off',
    choices: ['off', 'on'],
    about: 'whether the admin port lets its page change identities; wants ADMIN_TOKEN',
  },
  baseUrl: {
    flag: 'base-url',
    env: 'BASE_URL',
    type: 'text',
    about: 'public address of this service, as buyers reach it; default http://<host>:<port>',
  },
  dataDir: {
    flag: 'data-dir',
    env: 'DATA_DIR',
    type: 'text',
    fallback: 'var/data',
    about: 'folder of the embedded stores (ledger, identities, history)',
  },
  venues: {
    flag: 'venues',
    env: 'VENUES',
    type: 'list',
    about: 'venues to collect, comma separated; all without it',
  },
  extraVenues: {
    flag: 'extra-venues',
    env: 'EXTRA_VENUES',
    type: 'list',
    about: 'further venues, read through the ccxt library: ccxt:bitfinex,coinex',
  },
  venueBases: {
    flag: 'venue-bases',
    env: 'VENUE_BASES',
    type: 'text',
    secret: true,
    about: 'JSON of other base addresses, {"binance":{"rest":"https://…"}}: mirrors or simulated venues',
  },
  booksPerVenue: {
    flag: 'books-per-venue',
    env: 'BOOKS_PER_VENUE',
    type: 'integer',
    fallback: '100',
    minimum: 0,
    maximum: 5000,
    about:
      'order books streamed from each venue, the most traded first; the others are read in turn over REST',
  },
  history: {
    flag: 'history',
    env: 'HISTORY',
    type: 'text',
    fallback: 'on',
    choices: ['on', 'off'],
    about: 'keep samples and settlements, and serve the historical endpoints',
  },
  clickhouseUrl: {
    flag: 'clickhouse-url',
    env: 'CLICKHOUSE_URL',
    type: 'list',
    secret: true,
    about:
      'ClickHouse that keeps the history, http://user:secret@host:8123; the nodes of a cluster comma separated; without it the embedded engine does, in the data folder',
  },
  clickhouseCluster: {
    flag: 'clickhouse-cluster',
    env: 'CLICKHOUSE_CLUSTER',
    type: 'text',
    about: "name of the cluster in the servers' own configuration, where there are several",
  },
  clickhouseDatabase: {
    flag: 'clickhouse-database',
    env: 'CLICKHOUSE_DATABASE',
    type: 'text',
    fallback: 'perpmeter',
    about: 'database of the history',
  },
  sampleDays: {
    flag: 'history-sample-days',
    env: 'HISTORY_SAMPLE_DAYS',
    type: 'integer',
    fallback: String(DEFAULT_RETENTION.sampleDays),
    minimum: 1,
    maximum: 3650,
    about: 'days for which one-minute samples are kept',
  },
  rollUpDays: {
    flag: 'history-rollup-days',
    env: 'HISTORY_ROLLUP_DAYS',
    type: 'integer',
    fallback: String(DEFAULT_RETENTION.rollUpDays),
    minimum: 1,
    maximum: 36500,
    about: 'days for which hourly roll-ups, funding payments and gaps are kept',
  },
  historyMinFreeMb: {
    flag: 'history-min-free-mb',
    env: 'HISTORY_MIN_FREE_MB',
    type: 'integer',
    fallback: '512',
    minimum: 0,
    maximum: 1_000_000,
    about:
      'megabytes of the disk that the embedded history leaves free: with less it is read-only, and the ledger of payments still has room',
  },
  backfillDays: {
    flag: 'backfill-days',
    env: 'BACKFILL_DAYS',
    type: 'integer',
    fallback: '30',
    minimum: 0,
    maximum: 400,
    about:
      'days of the past that are asked of the venues themselves, at first start and after gaps; 0 asks nothing',
  },
  backfillContracts: {
    flag: 'backfill-contracts',
    env: 'BACKFILL_CONTRACTS',
    type: 'integer',
    fallback: '100',
    minimum: 1,
    maximum: 5000,
    about: 'contracts of each venue whose past is asked for, the most traded first',
  },
  secondReaderMinutes: {
    flag: 'second-reader-minutes',
    env: 'SECOND_READER_MINUTES',
    type: 'integer',
    fallback: '5',
    minimum: 0,
    maximum: 60,
    about:
      "minutes between two second readings of a major asset's contract, on another call of its venue; all others once a day; 0 asks nothing a second time",
  },
  payments: {
    flag: 'payments',
    env: 'PAYMENTS_MODE',
    type: 'text',
    choices: ['remote', 'self', 'sandbox', 'off'],
    about: 'default remote where PAY_TO_ADDRESS is set, else off: all answers free, on loopback only',
  },
  payTo: { flag: 'pay-to', env: 'PAY_TO_ADDRESS', type: 'text', about: 'address that receives the payments' },
  asset: {
    flag: 'asset',
    env: 'ASSET_CONTRACT_ADDRESS',
    type: 'text',
    about: 'token contract; default USDC of the network',
  },
  assetName: {
    flag: 'asset-name',
    env: 'ASSET_NAME',
    type: 'text',
    about: "name in the token's signing domain; known for USDC",
  },
  assetVersion: {
    flag: 'asset-version',
    env: 'ASSET_VERSION',
    type: 'text',
    about: "version in the token's signing domain; known for USDC",
  },
  network: {
    flag: 'network',
    env: 'PAYMENT_NETWORK',
    type: 'text',
    fallback: 'eip155:8453',
    about: 'CAIP-2 network of the token',
  },
  serviceName: {
    flag: 'service-name',
    env: 'SERVICE_NAME',
    type: 'text',
    fallback: 'Perpmeter',
    about: 'name in catalogs, at most 32 ASCII characters',
  },
  facilitatorUrl: {
    flag: 'facilitator-url',
    env: 'FACILITATOR_URL',
    type: 'text',
    about: 'x402 facilitators that verify and settle, in order of preference, comma separated (mode remote)',
  },
  facilitatorFee: {
    flag: 'facilitator-fee',
    env: 'FACILITATOR_FEE_USD',
    type: 'text',
    fallback: '0',
    about: 'what a settlement costs, in USD, for the margin in the metrics',
  },
  verifyTimeout: {
    flag: 'verify-timeout',
    env: 'FACILITATOR_VERIFY_TIMEOUT_MS',
    type: 'text',
    fallback: '5000',
    about: 'milliseconds that a facilitator may take to verify',
  },
  settleTimeout: {
    flag: 'settle-timeout',
    env: 'FACILITATOR_SETTLE_TIMEOUT_MS',
    type: 'text',
    fallback: '20000',
    about: 'milliseconds that a facilitator may take to settle; after that the outcome is unknown',
  },
  facilitatorToken: {
    flag: 'facilitator-token',
    env: 'FACILITATOR_TOKEN',
    type: 'text',
    secret: true,
    about: 'bearer tokens by the place of their facilitator, comma separated',
  },
  cdpKeyId: {
    flag: 'cdp-key-id',
    env: 'CDP_API_KEY_ID',
    type: 'text',
    about: 'key id for the Coinbase facilitator',
  },
  cdpKeySecret: {
    flag: 'cdp-key-secret',
    env: 'CDP_API_KEY_SECRET',
    type: 'text',
    secret: true,
    about: 'key secret for the Coinbase facilitator',
  },
  rpcUrl: {
    flag: 'rpc-url',
    env: 'RPC_URL',
    type: 'text',
    secret: true,
    about: 'JSON-RPC of the network: settlements are then proven on the chain',
  },
  facilitatorKey: {
    flag: 'facilitator-key',
    env: 'FACILITATOR_PRIVATE_KEY',
    type: 'text',
    secret: true,
    about: 'key that pays the gas (mode self; the demo makes its own)',
  },
  demoBuyerKey: {
    flag: 'demo-buyer-key',
    env: 'DEMO_BUYER_KEY',
    type: 'text',
    secret: true,
    about: 'key that signs for visitors of the page (mode sandbox; the demo makes its own)',
  },
  ledgerUrl: {
    flag: 'ledger-url',
    env: 'LEDGER_URL',
    type: 'text',
    secret: true,
    about:
      'PostgreSQL that keeps the payments of several hosts, postgres://user:password@host:5432/database; without it they are kept in the data folder',
  },
  receiptKeys: {
    flag: 'receipt-keys',
    env: 'RECEIPT_KEYS_FILE',
    type: 'text',
    about:
      'file of the keys that sign offers and receipts, made where it is missing; default receipt-keys.json in the data folder',
  },
  gasPriceCap: {
    flag: 'gas-price-cap',
    env: 'GAS_PRICE_CAP_GWEI',
    type: 'text',
    fallback: '1',
    about: 'nothing is settled while gas is dearer, gwei (mode self)',
  },
  confirmations: {
    flag: 'confirmations',
    env: 'CONFIRMATIONS',
    type: 'text',
    fallback: '1',
    about: 'blocks after which a settlement counts (mode self)',
  },
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

export type SettingName = keyof typeof SETTINGS;
