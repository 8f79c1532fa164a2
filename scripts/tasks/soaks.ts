import { BUILD, MORE_THREADS, script, type Tasks } from './task.ts';

export const SOAKS: Tasks = {
  decode: {
    help: 'every payload damaged field by field, in every way: no exception, no zero for an unknown, no value lost without a reject',
    commands: [script('test/soak/decode.ts')],
  },
  properties: {
    help: "random questions to the history against a plain reference, with and without corrections; every asset against the simulated world's truth",
    commands: [script('test/soak/properties.ts')],
  },
  laws: {
    help: 'every test of a law on random cases, with other cases in each round: `npm test` tries the same ones each time',
    commands: [script('test/soak/laws.ts')],
  },
  api: {
    help: '50,000 random requests through the real paywall',
    commands: [script('test/soak/api.ts')],
  },
  paths: {
    help: '20,000 odd URLs: nothing is reached around the paywall',
    commands: [script('test/soak/paths.ts')],
  },
  stream: {
    help: 'a thousand readers of a stream that break off and come back, and slow ones',
    commands: [script('test/soak/stream.ts')],
  },
  'paid-stream': {
    help: 'a thousand readers of paid streams by both protocols that break off, payments that come late or not, silent venues and kills: no unpaid minute served, none broken off uncredited, nothing lost unsaid; `--hosts 2`: by two hosts',
    commands: [script('test/soak/paid-stream.ts')],
  },
  pay: {
    help: 'adversarial payments, held against a real chain',
    commands: [script('test/soak/pay.ts')],
  },
  kill: {
    help: 'the service killed in the midst of payments, held against a real chain',
    commands: [script('test/soak/pay-kill.ts')],
  },
  channel: {
    help: 'hostile buyers by payment channel, the service and its claims killed, held against a real chain',
    commands: [script('test/soak/channel.ts')],
  },
  mcp: {
    help: 'one authorization presented over HTTP and MCP at once, by buyers who hang up: one answer, once',
    commands: [script('test/soak/mcp.ts')],
  },
  hosts: {
    help: 'each payment given to two hosts at once, while hosts, PostgreSQL and the network between them fail; `--channels`: vouchers of payment channels',
    commands: [script('test/soak/hosts.ts')],
  },
  cluster: {
    help: 'collectors, sellers, recorders and all their servers hurt in a seeded order while buyers pay',
    commands: [BUILD, script('test/soak/cluster.ts')],
  },
  rolling: {
    help: 'every process of a cluster stopped and started in order, and haproxy reloaded, while buyers pay',
    commands: [BUILD, script('test/soak/rolling.ts')],
  },
  overload: {
    help: 'the demo with a quarter of a core for ten minutes while answers are bought: nothing old is sold, memory stays, all is back within 30 s',
    commands: [script('test/soak/overload.ts')],
  },
  books: {
    help: "every venue's books under every fault, then the service for a hundred minutes: its memory, its growth, its books",
    commands: [BUILD, script('test/soak/books.ts')],
  },
  history: {
    help: 'a writer killed at random moments: nothing acknowledged is lost, nothing is twice',
    commands: [script('test/soak/history.ts', { env: MORE_THREADS })],
  },
  watch: {
    help: 'watches held by two processes that are killed, stopped and paused: each firing against the truth; and their delivery killed beside receivers that fail, hang, redirect and lie: nothing lost, out of order, or sent to a forbidden address',
    commands: [script('test/soak/watch.ts')],
  },
  audit: {
    help: 'faults planted at every venue: which are found and how soon; then false alarms over days without a fault',
    commands: [script('test/soak/audit.ts')],
  },
};
