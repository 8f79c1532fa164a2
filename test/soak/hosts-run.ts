import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { wait } from '../../src/runtime/timer.ts';
import { PostgresServer } from '../pay/postgres-server.ts';
import { Relay } from '../pay/relay.ts';
import { sellerAt } from '../pay/routes.ts';
import { encodeHeader, type Signer, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { type Books, reconcile } from './pay-books.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { BASE_URL, BLOCK_SECONDS, type Served, serviceEnvironment, startService } from './pay-run.ts';
import { openWallets } from './pay-wallets.ts';
import { Random } from './random.ts';

/** What goes wrong while the payments of a round are presented. */
export const HOST_FAULTS = ['none', 'kill', 'pause', 'restart', 'crash', 'cut', 'silent', 'deaf'] as const;
export type HostFault = (typeof HOST_FAULTS)[number];

export interface HostsSoakOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Payments a round. */
  readonly payments: number;
  readonly progress?: (round: number, fault: HostFault) => void;
}

/** What became of the payments of one kind of round. */
export interface FaultTally {
  rounds: number;
  payments: number;
  /** Presentations by how they were answered in the midst of it. */
  readonly statuses: Map<number, number>;
}

export interface HostsSoakResult {
  readonly problems: readonly string[];
  readonly faults: ReadonlyMap<HostFault, FaultTally>;
  readonly presented: number;
  /** Payments that both hosts answered with 200 in the end, the same bytes. */
  readonly answered: number;
  readonly books: Books;
}

interface Payment {
  readonly nonce: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Paid answers that were given for it. */
  readonly bodies: Set<string>;
}

interface Host {
  readonly relay: Relay;
  readonly environment: Record<string, string>;
  served: Served;
}

const TARGET = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';
const PATIENCE_MS = 20_000;
const TRIES = 3;

/** Two hosts, one receiver, one PostgreSQL, each payment at both hosts in the same moment, faults in the midst of it. */
export async function soakHosts(options: HostsSoakOptions): Promise<HostsSoakResult> {
  const random = new Random(options.seed);
  const [server, chain] = await Promise.all([
    PostgresServer.start(),
    startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS }),
  ]);
  const facilitator = await FaultyFacilitator.start(chain, random);
  facilitator.calm();
  const url = await server.database('hosts');
  const hosts: Host[] = [];
  try {
    for (const name of ['one', 'two']) {
      const relay = await Relay.start(server.port);
      const environment = {
        ...serviceEnvironment(chain, ''),
        FACILITATOR_URL: facilitator.url,
        LEDGER_URL: server.url('hosts', 'owner', relay.port),
        RECEIPT_KEYS_FILE: server.besides('receipt-keys.json'),
      };
      hosts.push({ relay, environment, served: await startService(name, environment) });
    }
    return await new Rounds({ random, chain, server, hosts, url, buyers: await openWallets(chain) }).run(
      options,
    );
  } finally {
    for (const { served, relay } of hosts) {
      served.child.process.kill('SIGKILL');
      await relay.stop();
    }
    await facilitator.stop();
    await chain.stop();
    await server.stop();
  }
}

interface Parts {
  readonly random: Random;
  readonly chain: SandboxChain;
  readonly server: PostgresServer;
  readonly hosts: readonly Host[];
  readonly url: string;
  readonly buyers: readonly Signer[];
}

class Rounds {
  readonly #parts: Parts;
  readonly #payments: Payment[] = [];
  readonly #faults = new Map<HostFault, FaultTally>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run({ rounds, payments, progress }: HostsSoakOptions): Promise<HostsSoakResult> {
    for (let round = 0; round < rounds; round++) {
      // Each kind once, then as drawn.
      const fault = HOST_FAULTS[round] ?? this.#parts.random.pick(HOST_FAULTS);
      await this.#round(fault, payments);
      progress?.(round + 1, fault);
    }
    return this.#end();
  }

  async #round(fault: HostFault, count: number): Promise<void> {
    const made = await Promise.all(Array.from({ length: count }, () => this.#sign()));
    this.#payments.push(...made);
    const tally = this.#faults.get(fault) ?? { rounds: 0, payments: 0, statuses: new Map() };
    this.#faults.set(fault, tally);
    tally.rounds++;
    tally.payments += count;
    const asking = made.flatMap((payment) =>
      this.#parts.hosts.map(async (host) => {
        const status = await present(host, payment);
        tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      }),
    );
    await wait(this.#parts.random.between(0, 120));
    await this.#inflict(fault, this.#parts.random.pick(this.#parts.hosts));
    await Promise.all(asking);
  }

  async #sign(): Promise<Payment> {
    const { random, buyers, chain } = this.#parts;
    const seller = sellerAt(BASE_URL, chain.payee.address);
    const signed = await signAuthorization(random.pick(buyers), seller, { value: PRICE });
    const { nonce } = signed.authorization;
    const headers = {
      'PAYMENT-SIGNATURE': encodeHeader(v2Payload(seller, signed)),
      'Idempotency-Key': `order-${nonce.slice(2, 40)}`,
      'x-test-address': nonce.slice(0, 20),
    };
    return { nonce, headers, bodies: new Set() };
  }

  /** Begins a fault and ends it. */
  async #inflict(fault: HostFault, host: Host): Promise<void> {
    const { server, random } = this.#parts;
    const whileMs = random.between(200, 1_500);
    switch (fault) {
      case 'none':
        return;
      case 'kill':
        host.served.child.process.kill('SIGKILL');
        await host.served.child.exited;
        host.served = await startService('again', host.environment);
        return;
      case 'pause':
        host.served.child.process.kill('SIGSTOP');
        await wait(whileMs);
        host.served.child.process.kill('SIGCONT');
        return;
      case 'restart':
      case 'crash':
        await server.signal(fault === 'crash' ? 'SIGQUIT' : 'SIGINT');
        await wait(whileMs / 5);
        return server.begin();
      default:
        host.relay.set(fault);
        await wait(whileMs);
        // What was on its way when the network came back is lost with its connections.
        host.relay.set('cut');
        host.relay.set('open');
    }
  }

  /** All that is open is closed as an hour later, by the chain; then each buyer asks both hosts again. */
  async #end(): Promise<HostsSoakResult> {
    const { chain, url, hosts } = this.#parts;
    const seller = sellerAt(BASE_URL, chain.payee.address);
    const books = await reconcile(chain, { ledgerPath: '', ledgerUrl: url }, seller);
    const problems = [...books.problems];
    let answered = 0;
    for (const payment of this.#payments) {
      const last = await Promise.all(hosts.map((host) => lastStatus(host, payment)));
      const isPaid = books.paidNonces.has(payment.nonce);
      const { nonce, bodies } = payment;
      if (bodies.size > 1) problems.push(`${nonce}: ${bodies.size} products for one payment`);
      if (!isPaid && bodies.size > 0) problems.push(`${nonce}: served unpaid`);
      if (isPaid && last.some((status) => status !== 200)) {
        problems.push(`${nonce}: paid, and answered with ${last.join(' and ')}`);
      }
      if (isPaid && last.every((status) => status === 200)) answered++;
    }
    if (books.transfers !== books.paidNonces.size) {
      problems.push(`${books.transfers} transfers for ${books.paidNonces.size} payments`);
    }
    return { problems, faults: this.#faults, presented: this.#payments.length, answered, books };
  }
}

/** Status 0 where the connection broke, or nothing came in time. */
async function present({ served }: Host, { headers, bodies }: Payment): Promise<number> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(served.url + TARGET, { headers, signal });
    const body = await response.text();
    if (response.status === 200) bodies.add(body);
    return response.status;
  } catch {
    return 0;
  }
}

async function lastStatus(host: Host, payment: Payment): Promise<number> {
  let status = 0;
  for (let i = 0; i < TRIES && status !== 200; i++) {
    if (i > 0) await wait(500);
    status = await present(host, payment);
  }
  return status;
}
