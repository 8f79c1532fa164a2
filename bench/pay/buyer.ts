import { connect, type Socket } from 'node:net';
import { wait } from '../../src/runtime/timer.ts';

const HEAD_END = '\r\n\r\n';
const TIMEOUT_MS = 60_000;

export interface Bought {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The time of each answer, ms. */
  readonly tookMs: readonly number[];
}

interface Counting {
  readonly statuses: Map<number, number>;
  readonly tookMs: number[];
}

/** Sends each request once, over so many keep-alive connections, as fast as they are answered. */
export async function buyAll(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<Bought> {
  const waiting = requests[Symbol.iterator]();
  const bought: Counting = { statuses: new Map(), tookMs: [] };
  await Promise.all(Array.from({ length: connections }, () => buyOver(port, waiting, bought)));
  return bought;
}

/** The same of requests that follow each other: each list over a connection of its own, in its order. */
export async function buyInTurn(port: number, lists: readonly (readonly Buffer[])[]): Promise<Bought> {
  const bought: Counting = { statuses: new Map(), tookMs: [] };
  await Promise.all(lists.map((requests) => buyOver(port, requests[Symbol.iterator](), bought)));
  return bought;
}

/** As `buyInTurn` at a pace: each connection sends one request in so many ms, or later where it still waits for an answer. */
export async function buyAtPace(
  port: number,
  lists: readonly (readonly Buffer[])[],
  everyMs: number,
): Promise<Bought> {
  const bought: Counting = { statuses: new Map(), tookMs: [] };
  const began = performance.now();
  await Promise.all(
    lists.map((requests, i) => {
      const dueAt = began + (i * everyMs) / lists.length;
      return buyOver(port, requests[Symbol.iterator](), bought, { dueAt, everyMs });
    }),
  );
  return bought;
}

/** When the first request is sent, on the clock of `performance`, and how long after it each further one. */
interface Pace {
  readonly dueAt: number;
  readonly everyMs: number;
}

async function buyOver(
  port: number,
  waiting: Iterator<Buffer>,
  { statuses, tookMs }: Counting,
  pace?: Pace,
): Promise<void> {
  const socket = await open(port);
  let sent = 0;
  for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
    if (pace !== undefined) await wait(pace.dueAt + sent++ * pace.everyMs - performance.now());
    const began = performance.now();
    const status = await ask(socket, next.value);
    tookMs.push(performance.now() - began);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  socket.destroy();
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}

function ask(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const end = (): void => {
      socket.off('data', read);
      socket.off('close', closed);
    };
    const closed = (): void =>
      reject(new Error(`closed in the midst of an answer: ${received.slice(0, 200)}`));
    const read = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      const head = received.indexOf(HEAD_END);
      if (head < 0 || received.length < head + HEAD_END.length + lengthIn(received.slice(0, head))) return;
      end();
      resolve(Number(received.slice(9, 12)));
    };
    socket.on('data', read);
    socket.once('close', closed);
    socket.write(request);
  });
}

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return Number(length);
}
