import { BUILD, EXPOSE_GC, MORE_THREADS, script, type Tasks } from './task.ts';

export const BENCHES: Tasks = {
  http: {
    help: 'requests per CPU-second, 402s among them, against a bare HTTP server that looks at the path and sends the same bytes',
    commands: [script('bench/http.ts')],
  },
  pay: {
    help: 'CPU of paid requests and of settlements against `@x402/express` and the official facilitator',
    commands: [script('bench/pay.ts')],
  },
  margin: {
    help: 'margin of a route of $0.001 by gas of the local chain, by `exact` and by channels of ten to a thousand calls',
    commands: [script('bench/margin.ts')],
  },
  channel: {
    help: 'CPU of a sale by payment channel against the official server on express and against our own `exact`; its time beside that of the free answer',
    commands: [script('bench/channel.ts')],
  },
  ledger: {
    help: 'bytes that a sale takes in a ledger, with its receipts and without: in the embedded one, and on PostgreSQL where that is installed',
    commands: [script('bench/ledger.ts')],
  },
  products: {
    help: 'requests per second and p99 of every endpoint over a changing table; CPU of every scan right after a change',
    commands: [script('bench/products.ts')],
  },
  decode: {
    help: "decoding of every venue's bulk payload against `JSON.parse` of the same bytes",
    commands: [script('bench/decode.ts')],
  },
  ingest: {
    help: 'book frames to updated books with current quotes, against `JSON.parse`, tardis-dev and ccxt pro; needs recorded sessions (`PERPMETER_SESSIONS`), else exit code 2',
    commands: [script('bench/ingest.ts', { node: EXPOSE_GC })],
  },
  latency: {
    help: "from a book frame's arrival to its quote over HTTP on eight venues, with everything running, beside a bare relay of the same frames",
    commands: [BUILD, script('bench/latency.ts')],
  },
  cpu: {
    help: "the service's CPU at rest beside one process that only receives the same over sockets, unpacks and parses it",
    commands: [BUILD, script('bench/cpu.ts')],
  },
  spot: {
    help: 'CPU and memory at rest of the service with the spot side of the venues, beside one without',
    commands: [BUILD, script('bench/spot.ts')],
  },
  history: {
    help: 'history queries beside the same SQL from the bare client, bytes a row, event loop',
    commands: [script('bench/history.ts', { env: MORE_THREADS })],
  },
  backtest: {
    help: 'p99 of `/v1/backtest/pair` over 90 days, out of the stored past of 3,000 contracts',
    commands: [script('bench/backtest.ts', { env: MORE_THREADS })],
  },
  watch: {
    help: 'ten thousand watches: from the change of a row to its firing, and CPU beside the same run without; registrations and ends a minute',
    commands: [script('bench/watch.ts')],
  },
  audit: {
    help: 'what the checks of data quality cost beside decoding, and their slowest reports over ninety days',
    commands: [script('bench/audit.ts', { node: EXPOSE_GC })],
  },
  scale: {
    help: 'what 1, 2, 4 and 8 sellers on one ledger sell together, beside one',
    commands: [BUILD, script('bench/scale.ts')],
  },
  sellers: {
    help: 'what a collector, the bus and up to eight sellers cost, and how far sellers are behind',
    commands: [BUILD, script('bench/sellers.ts')],
  },
  agents: {
    help: 'sixty questions of traders, answered by scripted readers of the list of tools over `/mcp` and `perpmeter mcp`, and by a model where one is named: right, wrong, cost, tokens, bought twice',
    commands: [BUILD, script('bench/agents.ts')],
  },
  page: {
    help: 'the page in Chromium over the demo: first paint, the matrix, what an update costs, scrolling, memory',
    commands: [script('bench/page.ts')],
  },
};
