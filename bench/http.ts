/**
 * Requests per CPU-second of the HTTP surface against Node's bare server with the same bytes and headers.
 * `npm run bench:http`; exit 1 where a bar is missed. BENCH_ROUNDS and BENCH_SLICES shorten it for a look.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpus, loadavg, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LoadMessage, LoadOrder, ServerMessage, ServerOrder } from './http/messages.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
/** A round is this many short slices of each case in turn: what disturbs the machine disturbs all of them. */
const SLICES = Number(process.env.BENCH_SLICES ?? 6);
const SLICE_MS = 250;
const WARM_UP_MS = 100;
const CONNECTIONS = 128;
/** One generator alone cannot keep the server busy. */
const LOADS = 2;
const BUSY = 0.95;
const ATTEMPTS = 6;

const CURRENT = '/v1/funding/current?limit=100';
const CHALLENGED = '/v1/funding/current';

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

interface Case {
  readonly name: string;
  readonly server: Server;
  readonly path: string;
  readonly gzip: boolean;
  readonly status: number;
}

interface Bar {
  readonly name: string;
  readonly of: Case;
  readonly against: Case;
  readonly least: number;
}

/** What was counted of one case, in a slice or in all slices of a round. */
interface Count {
  readonly responses: number;
  readonly cpuSeconds: number;
  readonly activeMs: number;
  readonly idleMs: number;
}

type Round = ReadonlyMap<Case, Count>;

const NOTHING: Count = { responses: 0, cpuSeconds: 0, activeMs: 0, idleMs: 0 };

const add = (a: Count, b: Count): Count => ({
  responses: a.responses + b.responses,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  activeMs: a.activeMs + b.activeMs,
  idleMs: a.idleMs + b.idleMs,
});

const rateOf = ({ responses, cpuSeconds }: Count): number => responses / cpuSeconds;
const busyOf = ({ activeMs, idleMs }: Count): number => activeMs / (activeMs + idleMs);

function spawn(file: string): ChildProcess {
  const path = fileURLToPath(new URL(`./http/${file}.ts`, import.meta.url));
  return fork(path, { execArgv: ['--import', 'tsx'] });
}

/** The next message of this kind. */
function answer<M extends { readonly kind: string }>(child: ChildProcess, kind: M['kind']): Promise<M> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the benchmark ended early'));
    const read = (message: M): void => {
      if (message.kind !== kind) return;
      child.off('message', read);
      child.off('exit', ended);
      resolve(message);
    };
    child.on('message', read);
    child.on('exit', ended);
  });
}

/** The generator goes first where the machine is shared: what is counted is the server's own CPU time. */
function favour(child: ChildProcess): void {
  try {
    setPriority(child.pid ?? 0, -10);
  } catch {
    console.log('The load generator runs at normal priority: rounds may have to be repeated.');
  }
}

const order = (child: ChildProcess, message: ServerOrder | LoadOrder): boolean => child.send(message);

async function startServer(start: ServerOrder): Promise<Server> {
  const child = spawn('server');
  order(child, start);
  const { port } = await answer<Extract<ServerMessage, { kind: 'listening' }>>(child, 'listening');
  return { child, port };
}

/** The response that the bare server repeats: what the service answers now, to the byte. */
async function bareTwin(of: Server, path: string): Promise<Server> {
  const response = await fetch(`http://127.0.0.1:${of.port}${path}`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
  const body = Buffer.from(await response.arrayBuffer());
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const headers = [...response.headers].filter(([name]) => !own.has(name));
  const written = headers.flatMap(([name, value]) => [
    name === 'content-length' ? 'Content-Length' : name,
    value,
  ]);
  return startServer({
    kind: 'start',
    role: 'bare',
    status: response.status,
    headers: written,
    body: body.toString('base64'),
  });
}

async function measureSlice(
  loads: readonly ChildProcess[],
  { server, path, gzip, status }: Case,
): Promise<Count> {
  const accept = gzip ? 'Accept-Encoding: gzip\r\n' : '';
  const sent: LoadOrder = {
    port: server.port,
    request: `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${accept}\r\n`,
    connections: CONNECTIONS / loads.length,
    warmUpMs: WARM_UP_MS,
    measureMs: SLICE_MS,
  };
  for (const load of loads) order(load, sent);
  await Promise.all(loads.map((load) => answer<LoadMessage>(load, 'warm')));
  order(server.child, { kind: 'begin' });
  const done = await Promise.all(
    loads.map((load) => answer<Extract<LoadMessage, { kind: 'done' }>>(load, 'done')),
  );
  order(server.child, { kind: 'end' });
  const used = await answer<Extract<ServerMessage, { kind: 'measured' }>>(server.child, 'measured');
  // A generator that the machine gave no time to has seen no status; the round will be short of load, and repeated.
  const other = done.find((load) => load.responses > 0 && load.status !== status);
  if (other !== undefined) throw new Error(`${path} answered ${other.status}, not ${status}`);
  const { cpuSeconds, activeMs, idleMs } = used;
  return { responses: done.reduce((sum, { responses }) => sum + responses, 0), cpuSeconds, activeMs, idleMs };
}

async function measureRound(loads: readonly ChildProcess[], cases: readonly Case[]): Promise<Round> {
  const round = new Map<Case, Count>(cases.map((of) => [of, NOTHING]));
  for (let i = 0; i < SLICES; i++) {
    for (const of of cases) round.set(of, add(round.get(of) ?? NOTHING, await measureSlice(loads, of)));
  }
  return round;
}

/** A round in which a server had to wait for the load is no measurement of the server, and is repeated. */
async function validRound(loads: readonly ChildProcess[], cases: readonly Case[]): Promise<Round> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const round = await measureRound(loads, cases);
    const idle = [...round].filter(([, count]) => busyOf(count) < BUSY);
    if (idle.length === 0) return round;
    for (const [{ name }, count] of idle) {
      console.log(`Repeated: in "${name}" the server was ${(busyOf(count) * 100).toFixed(0)} % busy.`);
    }
  }
  throw new Error(`no round with the servers ${BUSY * 100} % busy in ${ATTEMPTS} attempts`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted[middle] ?? Number.NaN;
}

function report(cases: readonly Case[], rounds: readonly Round[]): void {
  console.table(
    cases.map((of) => {
      const counts = rounds.map((round) => round.get(of) ?? NOTHING);
      const rates = counts.map(rateOf);
      const all = counts.reduce(add, NOTHING);
      return {
        case: of.name,
        'median req/CPU-s': Math.round(median(rates)),
        range: `${Math.round(Math.min(...rates))}..${Math.round(Math.max(...rates))}`,
        responses: all.responses,
        'CPU-s': all.cpuSeconds.toFixed(2),
        'busy %': (busyOf(all) * 100).toFixed(1),
      };
    }),
  );
}

/** Prints the ratios of all rounds and their medians; true where every bar is met. */
function judge(bars: readonly Bar[], rounds: readonly Round[]): boolean {
  const results = bars.map((bar) => {
    const ratios = rounds.map(
      (round) => rateOf(round.get(bar.of) ?? NOTHING) / rateOf(round.get(bar.against) ?? NOTHING),
    );
    console.log(`${bar.name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
    return { name: bar.name, least: bar.least, ratio: median(ratios) };
  });
  const met = results.every(({ ratio, least }) => ratio >= least);
  const parts = results.map(
    ({ name, ratio, least }) => `${name} ${ratio.toFixed(2)} (bar ${least.toFixed(2)})`,
  );
  console.log(`bench:http ${met ? 'PASS' : 'FAIL'} ${parts.join(', ')}`);
  return met;
}

async function main(): Promise<boolean> {
  const off = await startServer({ kind: 'start', role: 'off' });
  const paid = await startServer({ kind: 'start', role: 'paid' });
  const bareCurrent = await bareTwin(off, CURRENT);
  const bareChallenge = await bareTwin(paid, CHALLENGED);
  const loads = Array.from({ length: LOADS }, () => spawn('load'));
  for (const load of loads) favour(load);

  const current = { name: 'funding/current?limit=100', server: off, path: CURRENT, gzip: false, status: 200 };
  const packed = { ...current, name: 'the same, gzip', gzip: true };
  const bare = { ...current, name: 'bare node:http, same bytes', server: bareCurrent };
  const challenge = { name: '402 challenge', server: paid, path: CHALLENGED, gzip: false, status: 402 };
  const bare402 = { ...challenge, name: 'bare node:http, same 402', server: bareChallenge };
  const cases: readonly Case[] = [bare, current, packed, bare402, challenge];
  const bars: readonly Bar[] = [
    { name: 'funding/current : bare', of: current, against: bare, least: 0.7 },
    { name: 'funding/current gzip : bare identity', of: packed, against: bare, least: 1 },
    { name: '402 : bare', of: challenge, against: bare402, least: 0.7 },
  ];

  const rounds: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await validRound(loads, cases));
  for (const { child } of [off, paid, bareCurrent, bareChallenge]) child.disconnect();
  for (const load of loads) load.disconnect();

  const [cpu] = cpus();
  console.log(
    `${cpus().length} x ${cpu?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; ${ROUNDS} rounds of ${SLICES} x ${SLICE_MS} ms, ${CONNECTIONS} connections`,
  );
  report(cases, rounds);
  return judge(bars, rounds);
}

process.exitCode = (await main()) ? 0 : 1;
