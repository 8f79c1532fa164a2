/**
 * The operations kit against the demo and a real Prometheus (Debian's `prometheus`, with promtool): metrics, rules, the
 * tests of the rules, and every query of every panel and alert. Prints a table and one summary line; exits 1 where a bar
 * is missed.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isWire } from '../src/domain/read.ts';
import { freePort } from '../src/host/process/free-port.ts';
import { metricTypes, opsText, panelQueries, readAlerts } from './ops-kit.ts';
import { answerHelp } from './usage.ts';
import { startDemo, stopDemo, untilBackfilled } from './with-demo.ts';

answerHelp();

const HOST = '127.0.0.1';
const RULES = fileURLToPath(new URL('../ops/prometheus/', import.meta.url));
const MIN_METRICS = 60;
/** A histogram has no quantile, and a counter no rate, before some readings lie apart. */
const PATIENCE_MS = 90_000;
const STOP_MS = 5000;
/** True of a machine with other work: it says nothing against the kit. */
const OF_THE_MACHINE = 'EventLoopLate';
const BUYS = ['/v1/funding/current?symbol=BTC', '/v1/perp/basis?ticker=BTC', '/v1/orderbook/binance/BTC/top'];

type Line = readonly [what: string, result: string, ok: boolean];

/** Installs Prometheus where it is missing; this needs Debian and its packages. */
function ensurePrometheus(): void {
  const has = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
  if (has('promtool') && has('prometheus')) return;
  const install = 'apt-get update -q && apt-get install -y -q --no-install-recommends prometheus';
  execFileSync('sh', ['-c', process.getuid?.() === 0 ? install : `sudo sh -c '${install}'`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function promtool(what: string, args: readonly string[], input?: string): Line {
  const run = spawnSync('promtool', args, {
    cwd: RULES,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
  const said = `${run.stdout}${run.stderr}`.trim();
  if (run.status !== 0) process.stderr.write(`${said}\n`);
  return [what, run.status === 0 ? 'clean' : `exit ${run.status}`, run.status === 0];
}

interface Prometheus {
  readonly process: ChildProcess;
  readonly url: string;
  readonly folder: string;
}

/** Our own configuration and rules, with the demo's admin port and readings every two seconds. */
async function startPrometheus(adminPort: number): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-prometheus-'));
  const config = opsText('prometheus/prometheus.yml')
    .replaceAll('15s', '2s')
    .replace('127.0.0.1:9402', `${HOST}:${adminPort}`);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  writeFileSync(join(folder, 'rules.yml'), opsText('prometheus/rules.yml'));
  const port = await freePort(HOST);
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${HOST}:${port}`,
    '--log.level=error',
  ];
  return {
    process: spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'inherit'] }),
    url: `http://${HOST}:${port}`,
    folder,
  };
}

async function stopPrometheus({ process: child, folder }: Prometheus): Promise<boolean> {
  const ended = new Promise<boolean>((resolve) => {
    if (child.exitCode !== null) resolve(true);
    child.once('exit', () => resolve(true));
  });
  child.kill('SIGTERM');
  const isOver = await Promise.race([ended, wait(STOP_MS, false, { ref: false })]);
  if (!isOver) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  return isOver;
}

/** The number of series of a query now; undefined where Prometheus refuses it, or does not answer yet. */
async function seriesOf(url: string, expr: string): Promise<number | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body: unknown = await response.json();
    if (!isWire(body) || !isWire(body.data) || !Array.isArray(body.data.result)) return undefined;
    return body.data.result.filter(
      (result) => isWire(result) && Array.isArray(result.value) && result.value[1] !== 'NaN',
    ).length;
  } catch {
    return undefined;
  }
}

/** Asks all queries until each gives data, or the time is over; those that never did. */
async function withoutData(
  url: string,
  exprs: readonly string[],
  buy: () => void,
): Promise<readonly string[]> {
  let left = exprs;
  for (const until = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < until; ) {
    buy();
    await wait(2000);
    const counts = await Promise.all(left.map((expr) => seriesOf(url, expr)));
    left = left.filter((_, i) => (counts[i] ?? 0) === 0);
  }
  return left;
}

/** Alerts that Prometheus holds for firing or near it, and rules that it cannot evaluate. */
async function ruleState(url: string): Promise<{ readonly firing: string[]; readonly broken: string[] }> {
  const body = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
    data: { groups: { rules: { name: string; state: string; health: string }[] }[] };
  };
  const rules = body.data.groups.flatMap((group) => group.rules);
  return {
    firing: rules.filter(({ state }) => state === 'firing').map(({ name }) => name),
    broken: rules.filter(({ health }) => health === 'err').map(({ name }) => name),
  };
}

/** Buys answers on command, one at a time. */
class Buyer {
  #turn = 0;
  #under: Promise<unknown> | undefined;

  buy(): void {
    if (this.#under !== undefined) return;
    const path = BUYS[this.#turn++ % BUYS.length] ?? '';
    const child = spawn('npm', ['run', '--silent', 'perpmeter', '--', 'buy', path], { stdio: 'ignore' });
    this.#under = once(child, 'exit').finally(() => {
      this.#under = undefined;
    });
  }

  /** Resolves when no purchase is under way. */
  async done(): Promise<void> {
    await this.#under;
  }
}

async function queryLines(url: string): Promise<readonly Line[]> {
  const panels = panelQueries();
  const exprs = [...new Set(panels.map(({ expr }) => expr))];
  const buyer = new Buyer();
  const missing = new Set(await withoutData(url, exprs, () => buyer.buy()));
  await buyer.done();
  for (const { dashboard, panel, expr } of panels.filter((panel) => missing.has(panel.expr))) {
    process.stderr.write(`no data: ${dashboard}, ${panel}: ${expr}\n`);
  }
  const { firing, broken } = await ruleState(url);
  const alerts = readAlerts(opsText('prometheus/rules.yml'));
  const refused: string[] = [];
  for (const { alert, expr } of alerts) {
    if ((await seriesOf(url, expr)) === undefined) refused.push(alert);
  }
  return [
    ['panel queries with data', `${exprs.length - missing.size} of ${exprs.length}`, missing.size === 0],
    [
      'alert expressions evaluated',
      `${alerts.length - refused.length} of ${alerts.length}`,
      refused.length === 0,
    ],
    ['rules in error', broken.join(' ') || 'none', broken.length === 0],
    ['alerts of the demo', firing.join(' ') || 'none', firing.every((name) => name === OF_THE_MACHINE)],
  ];
}

async function main(): Promise<boolean> {
  ensurePrometheus();
  const lines: Line[] = [
    promtool('promtool check rules', ['check', 'rules', 'rules.yml']),
    promtool('promtool test rules', ['test', 'rules', 'rules.test.yml']),
  ];
  const adminPort = await freePort(HOST);
  process.env.PERPMETER_ADMIN_PORT = String(adminPort);
  const demo = await startDemo('0');
  await untilBackfilled();
  const prometheus = await startPrometheus(adminPort);
  try {
    lines.push(...(await queryLines(prometheus.url)));
    const text = await (await fetch(`http://${HOST}:${adminPort}/metrics`)).text();
    const own = [...metricTypes(text).keys()].filter((name) => name.startsWith('perpmeter_')).length;
    lines.push(['metrics of its own', String(own), own >= MIN_METRICS]);
    lines.push(promtool('promtool check metrics', ['check', 'metrics'], text));
  } finally {
    const isOver = await stopPrometheus(prometheus);
    const { left } = await stopDemo(demo);
    const still = [...left, ...(isOver ? [] : ['prometheus'])];
    lines.push(['processes left', still.join(' ') || 'none', still.length === 0]);
  }
  for (const [what, result, ok] of lines) {
    console.log(`${what.padEnd(30)} ${result.padStart(16)}  ${ok ? 'ok' : 'MISSED'}`);
  }
  const missed = lines.filter(([, , ok]) => !ok).length;
  const results = lines.slice(2).map(([what, result]) => `${what} ${result}`);
  console.log(`check ops: ${results.join(', ')}; ${missed} bars missed`);
  return missed === 0;
}

process.exit((await main()) ? 0 : 1);
