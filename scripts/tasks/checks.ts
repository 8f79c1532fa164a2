import { script, type Tasks, tool } from './task.ts';

export const CHECKS: Tasks = {
  long: {
    help: 'the tests that take long: clusters that are hurt and restarted while buyers pay, one host that becomes several, the demo, all venues at once, every venue as ccxt reads it, the history on servers and shards, payments in every order of two departures, the short parts of the soaks of payments and requests, two views of the page, the tasks of its readers and of an operator, the questions and prompts of agents, the Python client',
    commands: [tool('vitest', ['run', '--config', 'vitest.long.config.ts'])],
  },
  tasks: {
    help: 'the tasks of the page, each driven in windows of all five widths ([docs/page-tasks.md](docs/page-tasks.md)); `check long` drives each in three',
    commands: [
      tool('vitest', ['run', '--config', 'vitest.long.config.ts', 'test/web/page-tasks.long.test.ts'], {
        PERPMETER_TASK_WIDTHS: 'all',
      }),
    ],
  },
  channels: {
    help: 'ten thousand calls of the official client by one channel, and sales by channel in every order of two departures; some twenty minutes',
    commands: [tool('vitest', ['run', '--config', 'vitest.channels.config.ts'])],
  },
  held: {
    help: 'what is decoded, answered and documented against the hashes of `test/held-outputs.json`; `--write` renews them',
    commands: [script('scripts/held-outputs.ts')],
  },
  foreign: {
    help: "other people's suites and clients, unmodified, against the service ([docs/foreign.md](docs/foreign.md)); `--only` takes some of them",
    commands: [script('scripts/check-foreign.ts')],
  },
  proxies: {
    help: 'the part of it behind nginx, haproxy and Caddy with their defaults: all paid routes, long headers, a stream ([docs/deploy.md](docs/deploy.md))',
    commands: [script('scripts/check-foreign.ts', { args: ['--only', 'proxies'] })],
  },
  pack: {
    help: "the packages, installed in empty folders: the client; the service's size, `serve` and `demo` with and without what is optional",
    commands: [script('scripts/check-pack.ts')],
  },
  ops: {
    help: 'metrics, rules and every dashboard panel against the demo and a real Prometheus',
    commands: [script('scripts/check-ops.ts')],
  },
  busy: {
    help: 'the tests beside two busy loops: three runs pass, nothing tried twice, each within six minutes of CPU',
    commands: [script('scripts/check-busy.ts')],
  },
  demo: {
    help: "the demo's time to all venues and the first bought answer, on a quiet machine and beside two busy loops; venues that are stale beside eight; its memory; every way to stop it",
    commands: [script('scripts/check-demo.ts')],
  },
  node: {
    help: 'the tests and the demo on Node.js 20.19, 22 and 24',
    commands: [script('scripts/check-node.ts')],
  },
  verified: {
    help: "when each venue's interface was last seen to be as it is read here, and when it ends; exits 1 beyond ninety days and sixty days before an announced end",
    commands: [script('scripts/check-verified.ts')],
  },
  ccxt: {
    help: 'ccxt, pointed at the simulated venues, against our rows ([docs/ccxt-agreement.md](docs/ccxt-agreement.md)); `--write` renews the page',
    commands: [script('test/ccxt/check.ts')],
  },
  modules: {
    help: 'the rest with each module removed in turn, its folder and its line in the list: types, the page, and the tests that read the list; `--tests all` runs all',
    commands: [script('scripts/check-modules.ts')],
  },
  size: {
    help: 'lines of code of the core, of each module and of the product, against the bars of `scripts/size-bars.json`, which `--write` renews, and beside their goals',
    commands: [script('scripts/check-size.ts')],
  },
};
