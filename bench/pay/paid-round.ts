import { type ChildProcess, fork } from 'node:child_process';
import { bundle } from '../../test/bundle.ts';
import { SERVER_FLAGS } from '../http/rounds.ts';
import { type Bought, buyAll, buyAtPace, buyInTurn } from './buyer.ts';
import type { PayMessage, PayOrder } from './messages.ts';
import { SOLD } from './terms.ts';
import type { Challenge, Wallet } from './wallet.ts';

/** A process under test. */
export interface Contender {
  readonly name: string;
  readonly child: ChildProcess;
  /** 0 where it does not listen. */
  readonly port: number;
}

/** Counts of one slice, or of several. */
export interface PayCount {
  readonly payments: number;
  readonly cpuSeconds: number;
}

/** Buyers at once where CPU is counted; one after the other where the time of an answer is. */
const CONNECTIONS = 128;

function answer<K extends PayMessage['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<PayMessage, { kind: K }>> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the benchmark ended early'));
    const read = (message: PayMessage): void => {
      if (message.kind !== kind) return;
      child.off('message', read);
      child.off('exit', ended);
      resolve(message as Extract<PayMessage, { kind: K }>);
    };
    child.on('message', read);
    child.on('exit', ended);
  });
}

/** Starts a process and gives it its part. */
export async function startContender(
  name: string,
  order: Extract<PayOrder, { kind: 'sell' | 'facilitate' }>,
): Promise<Contender> {
  const child = fork(await bundle(new URL('./process.ts', import.meta.url)), { execArgv: SERVER_FLAGS });
  child.send(order);
  const { port } = await answer(child, 'ready');
  return { name, child, port };
}

/** The address of a seller. */
type Shop = Pick<Contender, 'port'>;

const addressOf = ({ port }: Shop): string => `http://127.0.0.1:${port}${SOLD.path}?${SOLD.query}`;

/** The seller's challenge for the sold answer. */
export async function challengeOf(seller: Shop): Promise<Challenge> {
  const response = await fetch(addressOf(seller));
  const header = response.headers.get('payment-required');
  if (response.status !== 402 || header === null) throw new Error(`no challenge: ${response.status}`);
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Challenge;
}

/** Requests with payments of their own, as bytes to send. */
export async function requestsOf(seller: Shop, wallet: Wallet, payments: number): Promise<readonly Buffer[]> {
  const challenge = await challengeOf(seller);
  const requests: Buffer[] = [];
  for (let i = 0; i < payments; i++) {
    requests.push(requestWith(wallet.headerOf(await wallet.sign(1000n), challenge)));
  }
  return requests;
}

/** The request for the sold answer as bytes to send, with a payment where there is one. */
export function requestWith(header?: string): Buffer {
  const payment = header === undefined ? '' : `PAYMENT-SIGNATURE: ${header}\r\n`;
  const head = `GET ${SOLD.path}?${SOLD.query} HTTP/1.1\r\nHost: 127.0.0.1\r\n${payment}\r\n`;
  return Buffer.from(head, 'latin1');
}

/** Buys with payments signed beforehand; every answer has to be a 200. */
export async function buyFrom(seller: Contender, requests: readonly Buffer[], connections: number) {
  return timesOf(seller, await buyAll(seller.port, requests, connections));
}

/** The same of requests that follow each other, one list a connection, each of which sends one in so many ms. */
export async function buyPaced(seller: Contender, lists: readonly (readonly Buffer[])[], everyMs: number) {
  return timesOf(seller, await buyAtPace(seller.port, lists, everyMs));
}

function timesOf({ name }: Contender, { statuses, tookMs }: Bought): readonly number[] {
  if (statuses.get(200) === tookMs.length) return tookMs;
  throw new Error(`${name}: ${JSON.stringify([...statuses])} of ${tookMs.length} payments`);
}

export async function sellSlice(seller: Contender, wallet: Wallet, payments: number): Promise<PayCount> {
  const requests = await requestsOf(seller, wallet, payments);
  return cpuOf(seller, payments, () => buyFrom(seller, requests, CONNECTIONS));
}

/** As `sellSlice`, of payments that follow each other: each list is bought in its order, beside the others. */
export function sellInTurn(seller: Contender, lists: readonly (readonly Buffer[])[]): Promise<PayCount> {
  const payments = lists.reduce((sum, { length }) => sum + length, 0);
  return cpuOf(seller, payments, async () => timesOf(seller, await buyInTurn(seller.port, lists)));
}

async function cpuOf(seller: Contender, payments: number, buy: () => Promise<unknown>): Promise<PayCount> {
  seller.child.send({ kind: 'begin' });
  await answer(seller.child, 'begun');
  await buy();
  seller.child.send({ kind: 'end' });
  const { cpuSeconds } = await answer(seller.child, 'used');
  return { payments, cpuSeconds };
}

/** The time of each of so many sales, one after the other, ms. */
export const timedSlice = async (seller: Contender, wallet: Wallet, payments: number) =>
  buyFrom(seller, await requestsOf(seller, wallet, payments), 1);

export async function settleSlice({ child }: Contender, payments: number): Promise<PayCount> {
  child.send({ kind: 'settle', payments });
  const { cpuSeconds, settled } = await answer(child, 'used');
  return { payments: settled, cpuSeconds };
}

/** The body of one answer that is paid for. */
export async function boughtBody(seller: Contender, wallet: Wallet): Promise<string> {
  const header = wallet.headerOf(await wallet.sign(1000n), await challengeOf(seller));
  const response = await fetch(addressOf(seller), {
    headers: { 'PAYMENT-SIGNATURE': header, 'Accept-Encoding': 'identity' },
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer()).toString('base64');
}
