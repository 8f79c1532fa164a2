import { systemClock } from '../../src/domain/clock.ts';
import { isWire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { examplePrices, SELLER } from '../api/example-api.ts';
import { encodeHeader, newAccount, signAuthorization, v1Payload, v2Payload } from '../pay/wallet.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type Answered, KeepAlive } from './keep-alive.ts';
import { mutatedTarget } from './paths-targets.ts';
import { Random } from './random.ts';

export interface PathsSoakOptions {
  readonly seed: number;
  readonly requests: number;
  readonly progress?: (done: number) => void;
}

export interface PathsSoakResult {
  /** Answers by status; 0 = the connection was closed without one. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Paid answers served, each of them settled. */
  readonly sold: number;
  /** Answers of free paths. */
  readonly free: number;
  readonly problems: readonly string[];
}

interface Asked {
  readonly method: string;
  readonly target: string;
  readonly nonce: string | undefined;
}

/** A path that exists, and what it costs, atomic units. */
interface PricedPath {
  readonly path: string;
  readonly price: bigint;
}

/** The price offered for free paths. */
const ANY_PRICE = 1000n;
const MAX_PROBLEMS = 50;
const CONNECTIONS = 4;
const ACCOUNTS = 64;
const ODD_METHODS = [
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'CONNECT',
  'get',
  'GETS',
  'FOO',
] as const;
/** The method after which a connection is no HTTP any more. */
const CONNECT = 'CONNECT';
const prices = examplePrices();
const FREE = new Set(ROUTES.filter(({ access }) => access !== 'paid').map(({ path }) => path));
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Asks for random bent addresses, some with a payment, and judges every answer. */
export async function soakPaths(options: PathsSoakOptions): Promise<PathsSoakResult> {
  const paidServer = await startApiServer();
  const connections = Array.from({ length: CONNECTIONS }, () => new KeepAlive(paidServer.url));
  try {
    const run = new PathsRun(paidServer, new Random(options.seed));
    for (let i = 0; i < options.requests; i++) {
      const connection = connections[i % CONNECTIONS];
      if (connection !== undefined) await run.request(connection);
      if (i % 1000 === 999) options.progress?.(i + 1);
    }
    return run.result();
  } finally {
    for (const connection of connections) connection.close();
    await paidServer.close();
  }
}

class PathsRun {
  readonly #paidServer: ApiServer;
  readonly #random: Random;
  readonly #accounts = Array.from({ length: ACCOUNTS }, newAccount);
  readonly #pricedPaths: readonly PricedPath[];
  readonly #statuses = new Map<number, number>();
  readonly #served = new Map<string, number>();
  readonly #problems: string[] = [];
  #sent = 0;
  #free = 0;

  constructor(paidServer: ApiServer, random: Random) {
    this.#paidServer = paidServer;
    this.#random = random;
    const { info } = paidServer.source.market.view.venues()[0] ?? { info: { id: 'binance' } };
    const fill = (path: string): string =>
      path.replace('{venue}', info.id).replace(/\{(?:symbol|ticker)\}/, 'BTC');
    const now = systemClock.now();
    this.#pricedPaths = ROUTES.map(({ id, path }) => ({
      path: fill(path),
      price: prices.priceAt(id, now)?.atomic ?? ANY_PRICE,
    }));
  }

  async request(connection: KeepAlive): Promise<void> {
    const random = this.#random;
    const { path, price } = random.pick(this.#pricedPaths);
    const target = mutatedTarget(path, random);
    const method = random.chance(0.75) ? 'GET' : random.pick(ODD_METHODS);
    const payment = random.chance(0.5) ? await this.#payment(price) : undefined;
    const lines = [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      // An address each, so that limits by address do not end the run.
      `X-Forwarded-For: 10.${this.#sent >> 16}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`,
    ];
    if (payment !== undefined)
      lines.push(`${random.pick(['X-PAYMENT', 'PAYMENT-SIGNATURE'])}: ${payment.header}`);
    this.#sent++;
    const answered = await connection.ask(`${lines.join('\r\n')}\r\n\r\n`, method === 'HEAD');
    const status = answered?.status ?? 0;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#judge({ method, target, nonce: payment?.nonce }, answered);
    if (connection.stray > 0) this.#problem(`${method} ${target}: ${connection.stray} bytes of no answer`);
    connection.stray = 0;
  }

  result(): PathsSoakResult {
    const { settled, faults } = this.#paidServer;
    for (const [nonce, times] of settled) {
      if (times !== 1) this.#problem(`${nonce} was settled ${times} times`);
      if (this.#served.get(nonce) !== 1) this.#problem(`${nonce} was settled and never served`);
    }
    for (const fault of faults) this.#problem(`fault: ${String(fault)}`);
    return {
      statuses: this.#statuses,
      sold: this.#served.size,
      free: this.#free,
      problems: this.#problems,
    };
  }

  #judge(asked: Asked, answered: Answered | undefined): void {
    const where = `${asked.method} ${asked.target}`;
    if (answered === undefined) {
      if (asked.method !== CONNECT) this.#problem(`${where}: no answer`);
      return;
    }
    const { status, headers, body } = answered;
    if (status >= 500 || Number.isNaN(status))
      this.#problem(`${where}: ${status} ${body.toString().slice(0, 200)}`);
    if (status === 200) {
      this.#judgeData(asked, where);
      return;
    }
    if (headers.has('payment-response')) this.#problem(`${where}: a receipt on a ${status}`);
    if (body.length > 0 && !isRefusal(body))
      this.#problem(`${where}: ${status} ${body.toString().slice(0, 200)}`);
  }

  /** A 200 is of a free path, spelled exactly, or it was paid for: by this request, for the first time. */
  #judgeData({ method, target, nonce }: Asked, where: string): void {
    const path = target.replace(ABSOLUTE, '').split('?', 1)[0] ?? '';
    if (FREE.has(path) && (method === 'GET' || method === 'HEAD')) {
      this.#free++;
      return;
    }
    if (method !== 'GET') this.#problem(`${where}: data for a method that buys nothing`);
    const paid = nonce !== undefined && this.#paidServer.settled.get(nonce) === 1;
    if (!paid || nonce === undefined) this.#problem(`${where}: data without a settled payment`);
    else this.#served.set(nonce, (this.#served.get(nonce) ?? 0) + 1);
  }

  /** A good payment, mostly of the price of the route whose address was bent. */
  async #payment(price: bigint): Promise<{ readonly nonce: string; readonly header: string }> {
    const random = this.#random;
    const nonce = `0x${Array.from({ length: 64 }, () => random.between(0, 15).toString(16)).join('')}`;
    const value = String(random.chance(0.8) ? price : random.pick(this.#pricedPaths).price);
    const signed = await signAuthorization(random.pick(this.#accounts), SELLER, { value, nonce });
    const payload = random.chance(0.5) ? v2Payload(SELLER, signed) : v1Payload(signed);
    return { nonce, header: encodeHeader(payload) };
  }

  #problem(text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(text);
  }
}

/** A problem document or a challenge: both say what is wrong, and hold no data. */
function isRefusal(body: Buffer): boolean {
  const read: unknown = JSON.parse(body.toString());
  return isWire(read) && typeof read.code === 'string' && typeof read.detail === 'string';
}
