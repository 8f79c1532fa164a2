/** Server and load generator in processes of their own, measured in interleaved slices. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../test/bundle.ts';
import { describeMachine } from '../machine.ts';
import { median } from '../statistics.ts';
import type { LoadMessage, LoadOrder, ServerMessage, ServerOrder } from './messages.ts';

/** A round is this many short slices of each case in turn: what disturbs the machine disturbs all of them. */
const SLICES = Number(process.env.BENCH_SLICES ?? 6);
const SLICE_MS = 250;
const WARM_UP_MS = 100;
const CONNECTIONS = 128;
const BUSY = 0.95;
const ATTEMPTS = 6;
/**
 * As a process begins, chance decides whether V8 allocates what `process.nextTick` queues among the old objects. Where it
 * does, the server, be it ours or the bare one, is slower for the rest of its life.
 */
export const SERVER_FLAGS = ['--no-allocation-site-pretenuring'];

export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

export interface Case {
  readonly name: string;
  readonly server: Server;
  readonly path: string;
  readonly gzip: boolean;
  readonly status: number;
}

/** The cases of a bar are named: each start of the servers has its own. */
export interface Bar {
  readonly name: string;
  readonly of: string;
  readonly against: string;
  readonly least: number;
}

/** Counts of one case, in a slice or in all slices of a round. */
interface Count {
  readonly responses: number;
  readonly cpuSeconds: number;
  readonly activeMs: number;
  readonly idleMs: number;
}

/** By name of the case. */
export type Round = ReadonlyMap<string, Count>;

const NOTHING: Count = { responses: 0, cpuSeconds: 0, activeMs: 0, idleMs: 0 };

const add = (a: Count, b: Count): Count => ({
  responses: a.responses + b.responses,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
  activeMs: a.activeMs + b.activeMs,
  idleMs: a.idleMs + b.idleMs,
});

const rateOf = ({ responses, cpuSeconds }: Count): number => responses / cpuSeconds;
const busyOf = ({ activeMs, idleMs }: Count): number => activeMs / (activeMs + idleMs);

/** The next message of this kind. */
export function answer<M extends { readonly kind: string }>(
  child: ChildProcess,
  kind: M['kind'],
): Promise<M> {
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

export async function startServer(start: ServerOrder): Promise<Server> {
  const child = fork(await bundle(new URL('./server.ts', import.meta.url)), { execArgv: SERVER_FLAGS });
  order(child, start);
  const { port } = await answer<Extract<ServerMessage, { kind: 'listening' }>>(child, 'listening');
  return { child, port };
}

/** Headers that Node's server writes by itself. */
const OWN = new Set(['Date', 'Connection', 'Keep-Alive']);

/** The bare server's process: it repeats on this path what the service answers now, to the byte. */
export async function bareTwin({ port }: Server, path: string): Promise<Server> {
  const [response] = (await once(get({ port, path }), 'response')) as [IncomingMessage];
  const { rawHeaders, statusCode: status = 0 } = response;
  const headers = rawHeaders.filter((_, i) => !OWN.has(rawHeaders[i - (i % 2)] ?? ''));
  const body = (await buffer(response)).toString('base64');
  return startServer({ kind: 'start', role: 'bare', path, status, headers, body });
}

async function measureSlice(load: ChildProcess, { server, path, gzip, status }: Case): Promise<Count> {
  const accept = gzip ? 'Accept-Encoding: gzip\r\n' : '';
  const sent: LoadOrder = {
    port: server.port,
    request: `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${accept}\r\n`,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    measureMs: SLICE_MS,
  };
  order(load, sent);
  await answer<LoadMessage>(load, 'warm');
  order(server.child, { kind: 'begin' });
  const done = await answer<Extract<LoadMessage, { kind: 'done' }>>(load, 'done');
  order(server.child, { kind: 'end' });
  const used = await answer<Extract<ServerMessage, { kind: 'measured' }>>(server.child, 'measured');
  const { responses } = done;
  // A generator that the machine gave no time to has seen no status; the round will be short of load, and repeated.
  if (responses > 0 && done.status !== status) {
    throw new Error(`${path} answered ${done.status}, not ${status}`);
  }
  const { cpuSeconds, activeMs, idleMs } = used;
  return { responses, cpuSeconds, activeMs, idleMs };
}

async function measureRound(load: ChildProcess, cases: readonly Case[]): Promise<Round> {
  const round = new Map<string, Count>();
  for (let i = 0; i < SLICES; i++) {
    for (const of of cases) {
      round.set(of.name, add(round.get(of.name) ?? NOTHING, await measureSlice(load, of)));
    }
  }
  return round;
}

/** A round in which a server had to wait for the load is no measurement of the server, and is repeated. */
export async function validRound(load: ChildProcess, cases: readonly Case[]): Promise<Round> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const round = await measureRound(load, cases);
    const idle = [...round].filter(([, count]) => busyOf(count) < BUSY);
    if (idle.length === 0) return round;
    for (const [name, count] of idle) {
      console.log(`Repeated: in "${name}" the server was ${(busyOf(count) * 100).toFixed(0)} % busy.`);
    }
  }
  throw new Error(`no round with the servers ${BUSY * 100} % busy in ${ATTEMPTS} attempts`);
}

export function report(rounds: readonly Round[]): void {
  const [first] = rounds;
  console.table(
    [...(first?.keys() ?? [])].map((name) => {
      const counts = rounds.map((round) => round.get(name) ?? NOTHING);
      const rates = counts.map(rateOf);
      const all = counts.reduce(add, NOTHING);
      return {
        case: name,
        'median req/CPU-s': Math.round(median(rates)),
        range: `${Math.round(Math.min(...rates))}..${Math.round(Math.max(...rates))}`,
        responses: all.responses,
        'CPU-s': all.cpuSeconds.toFixed(2),
        'busy %': (busyOf(all) * 100).toFixed(1),
      };
    }),
  );
}

/** The median of a bar's ratios over all rounds. */
export interface BarRatio {
  readonly name: string;
  readonly least: number;
  readonly ratio: number;
}

/** Prints the ratios of all rounds; gives their medians. */
export function ratiosOf(bars: readonly Bar[], rounds: readonly Round[]): readonly BarRatio[] {
  return bars.map((bar) => {
    const ratios = rounds.map(
      (round) => rateOf(round.get(bar.of) ?? NOTHING) / rateOf(round.get(bar.against) ?? NOTHING),
    );
    console.log(`${bar.name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
    return { name: bar.name, least: bar.least, ratio: median(ratios) };
  });
}

/** The load generator, ahead of everything else where the machine is shared. */
export function startLoad(): ChildProcess {
  const file = fileURLToPath(new URL('./load.ts', import.meta.url));
  const load = fork(file, { execArgv: ['--import', 'tsx'] });
  favour(load);
  return load;
}

/** Describes the run and its machine in one line. */
export function describeRun(rounds: number): string {
  return `${describeMachine()}; ${rounds} rounds of ${SLICES} x ${SLICE_MS} ms, ${CONNECTIONS} connections`;
}
