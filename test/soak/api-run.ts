import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Client } from 'undici';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asMs } from '../../src/domain/units.ts';
import { SELLER } from '../api/example-api.ts';
import { encodeHeader, newAccount, signAuthorization, v1Payload, v2Payload } from '../pay/wallet.ts';
import { type KnownNames, type Operation, operationsOf, targetOf } from './api-requests.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { Random } from './random.ts';

export interface ApiSoakOptions {
  readonly seed: number;
  readonly requests: number;
  readonly progress?: (done: number) => void;
}

export interface ApiSoakResult {
  readonly requests: number;
  readonly operations: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly settled: number;
  /** 200 of paid routes by route. */
  readonly sold: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 50;
const KEPT_PAYMENTS = 50;
const MOVE_EVERY = 200;

type Payment = { readonly nonce: string; readonly header: string };

/** Sends random requests of the OpenAPI document, most of them paid for, and judges every answer. */
export async function soakApi(options: ApiSoakOptions): Promise<ApiSoakResult> {
  const random = new Random(options.seed);
  const paidServer = await startApiServer(random);
  const client = new Client(paidServer.url);
  try {
    const { body } = await client.request({ method: 'GET', path: '/openapi.json' });
    const document: unknown = await body.json();
    const run = new ApiRun(paidServer, client, random, operationsOf(isWire(document) ? document : {}));
    for (let i = 0; i < options.requests; i++) {
      if (i % MOVE_EVERY === MOVE_EVERY - 1) run.moveWorld();
      await run.request();
      if (i % 1000 === 999) options.progress?.(i + 1);
    }
    return run.result(options.requests);
  } finally {
    await client.close();
    await paidServer.close();
  }
}

/** A ticker of two assets: one asked for in ten is enough for a short run to meet it on a route that wants one of them. */
const AMBIGUOUS = 'SPX';

class ApiRun {
  readonly #paidServer: ApiServer;
  readonly #client: Client;
  readonly #random: Random;
  readonly #operations: readonly Operation[];
  readonly #paid: readonly Operation[];
  readonly #checks: ReadonlyMap<string, (value: unknown) => readonly unknown[]>;
  readonly #names: KnownNames;
  /** Many, since worthless payments of one payer are limited. */
  readonly #accounts = Array.from({ length: 64 }, newAccount);
  readonly #payments: Payment[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #sold = new Map<string, number>();
  /** 200 answers by nonce. */
  readonly #served = new Map<string, number>();
  readonly #problems: string[] = [];
  #sent = 0;

  constructor(paidServer: ApiServer, client: Client, random: Random, operations: readonly Operation[]) {
    this.#paidServer = paidServer;
    this.#client = client;
    this.#random = random;
    this.#operations = operations;
    this.#paid = operations.filter(({ price }) => price !== undefined);
    this.#checks = new Map(operations.flatMap((operation) => checkOf(operation)));
    const rows = paidServer.source.market.view.rows();
    const tickers = rows.filter((_, i) => i % 40 === 0).flatMap((row) => [row.ticker, row.canonicalId]);
    const common = ['BTC', 'ETH', 'SOL', AMBIGUOUS, 'crypto:BTC', 'NOPE'];
    const ambiguous = tickers.flatMap((_, i) => (i % 10 === 0 ? AMBIGUOUS : []));
    this.#names = {
      tickers: [...tickers, ...ambiguous, ...common, ...common, ...common, ...common],
      venues: [...paidServer.source.market.view.venues().map(({ info }) => info.id), 'nowhere'],
    };
  }

  /** Time passes: a venue is read again, falls silent or comes back; at times everything grows old. */
  moveWorld(): void {
    const { source } = this.#paidServer;
    const random = this.#random;
    const isOutage = random.chance(0.04);
    source.moveTo(asMs(source.clock.now() + (isOutage ? 20 * 60_000 : random.between(1, 5) * 1000)));
    if (isOutage) {
      source.market.sweep();
      return;
    }
    const venue = random.pick(this.#names.venues);
    source.status.set(venue, random.chance(0.3) ? random.pick(['stale', 'down'] as const) : 'live');
    const grown = source.market.view.rows().length < 5000;
    source.read((name) => grown || name === venue);
    if (grown || random.chance(0.12)) this.#paidServer.readBooks();
  }

  async request(): Promise<void> {
    const random = this.#random;
    const operation = random.pick(random.chance(0.4) ? this.#paid : this.#operations);
    const target = targetOf(operation, this.#names, this.#paidServer.source.clock.now(), random);
    const payment = operation.price === undefined ? undefined : await this.#payment(operation.price);
    const method = random.chance(0.94) ? 'GET' : random.pick(['HEAD', 'OPTIONS', 'POST', 'PUT'] as const);
    const headers: Record<string, string> = {
      // An address each, so that limits by address do not end the run.
      'x-forwarded-for': `10.${this.#sent >> 16}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`,
      ...(random.chance(0.05) ? { 'if-none-match': '*' } : {}),
      ...(payment === undefined
        ? {}
        : { [random.chance(0.5) ? 'x-payment' : 'payment-signature']: payment.header }),
    };
    this.#sent++;
    const { statusCode, headers: got, body } = await this.#client.request({ method, path: target, headers });
    const text = await body.text();
    this.#statuses.set(statusCode, (this.#statuses.get(statusCode) ?? 0) + 1);
    const where = `${method} ${target}`;
    this.#judge(where, operation, method, statusCode, got, text);
    if (statusCode !== 200 || operation.price === undefined || method !== 'GET') return;
    this.#sold.set(operation.path, (this.#sold.get(operation.path) ?? 0) + 1);
    if (payment === undefined) this.#problem(`${where} was served without a payment`);
    else this.#served.set(payment.nonce, (this.#served.get(payment.nonce) ?? 0) + 1);
  }

  result(requests: number): ApiSoakResult {
    const { settled, faults } = this.#paidServer;
    for (const [nonce, times] of settled) {
      if (times !== 1) this.#problem(`${nonce} was settled ${times} times`);
      if (this.#served.get(nonce) !== 1) {
        this.#problem(`${nonce} was settled and served ${this.#served.get(nonce) ?? 0} times`);
      }
    }
    for (const nonce of this.#served.keys()) {
      if (!settled.has(nonce)) this.#problem(`${nonce} was served and never settled`);
    }
    for (const fault of faults) this.#problem(`fault: ${String(fault)}`);
    return {
      requests,
      operations: this.#operations.length,
      statuses: this.#statuses,
      settled: settled.size,
      sold: this.#sold,
      problems: this.#problems,
    };
  }

  #judge(
    where: string,
    operation: Operation,
    method: string,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    text: string,
  ): void {
    if (status >= 500 && status !== 503) this.#problem(`${where}: ${status} ${text.slice(0, 200)}`);
    if (status === 503 && !(Number(headers['retry-after']) > 0))
      this.#problem(`${where}: 503 without Retry-After`);
    if (method !== 'GET') return;
    const isUnchanged = status === 304 && operation.price === undefined;
    // A path parameter may be anything, also what makes another path of it.
    const isOtherPath =
      (status === 404 || status === 400) && operation.parameters.some(({ isPath }) => isPath);
    if (!operation.statuses.has(status) && !isUnchanged && !isOtherPath) {
      this.#problem(`${where}: ${status} is not a documented answer of ${operation.path}`);
    }
    if (status !== 200) {
      if (status >= 400 && !isProblem(text)) this.#problem(`${where}: ${status} ${text.slice(0, 100)}`);
      return;
    }
    const [type = ''] = String(headers['content-type']).split(';');
    if (!operation.types.has(type)) this.#problem(`${where}: ${type} is not a documented type`);
    if (type !== 'application/json') return;
    const errors = this.#checks.get(operation.path)?.(JSON.parse(text)) ?? [];
    if (errors.length > 0) this.#problem(`${where}: ${JSON.stringify(errors[0]).slice(0, 300)}`);
  }

  /** Mostly a good payment; none, an unreadable one, one of another amount, or one that was presented before. */
  async #payment(usd: number): Promise<Payment | undefined> {
    const random = this.#random;
    const kind = random.next();
    if (kind < 0.2) return undefined;
    if (kind < 0.24)
      return { nonce: `garbage ${this.#sent}`, header: random.pick(['x', 'e30=', '{}', 'AAAA']) };
    const old = kind < 0.3 && this.#payments.length > 0 ? random.pick(this.#payments) : undefined;
    if (old !== undefined) return old;
    const amount = Math.round(usd * 1e6) + (kind < 0.34 ? random.pick([-1, 1, 1000]) : 0);
    const nonce = `0x${Array.from({ length: 64 }, () => random.between(0, 15).toString(16)).join('')}`;
    const signed = await signAuthorization(random.pick(this.#accounts), SELLER, {
      value: String(amount),
      nonce,
    });
    const payload = random.chance(0.5) ? v2Payload(SELLER, signed) : v1Payload(signed);
    const payment = { nonce, header: encodeHeader(payload) };
    this.#payments.push(payment);
    if (this.#payments.length > KEPT_PAYMENTS) this.#payments.shift();
    return payment;
  }

  #problem(text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(text);
  }
}

function checkOf({ path, schema }: Operation): [string, (value: unknown) => readonly unknown[]][] {
  if (schema === undefined) return [];
  const compiled = Compile(schema satisfies Wire as TSchema);
  return [[path, (value) => compiled.Errors(value)]];
}

/** A problem document or a challenge: both say what is wrong. */
function isProblem(text: string): boolean {
  const body: unknown = JSON.parse(text);
  return isWire(body) && typeof body.code === 'string' && typeof body.detail === 'string';
}
