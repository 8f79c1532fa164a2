import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { wait } from '../../src/runtime/timer.ts';
import { PostgresPair } from '../pay/postgres-pair.ts';
import { Relay } from '../pay/relay.ts';
import { DoubledPayments, type DoubledResult } from './doubled-payments.ts';
import { DoubledVouchers, type VouchersResult } from './doubled-vouchers.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { BLOCK_SECONDS, type Served, serviceEnvironment, startService } from './pay-run.ts';
import { openWallets } from './pay-wallets.ts';
import type { Buying, Shop } from './presented-payment.ts';
import { Random } from './random.ts';

/** Faults while the payments of a round are presented. */
export const HOST_FAULTS = [
  'none',
  'kill',
  'pause',
  'restart',
  'crash',
  'failover',
  'cut',
  'silent',
  'deaf',
] as const;
export type HostFault = (typeof HOST_FAULTS)[number];

export interface HostsSoakOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Payments a round. */
  readonly payments: number;
  /** The faults, in place of all. */
  readonly only?: readonly HostFault[];
  readonly progress?: (round: number, fault: HostFault) => void;
}

/** Outcomes of the payments of one kind of round. */
export interface FaultTally {
  rounds: number;
  payments: number;
  /** Presentations by how they were answered in the midst of it. */
  readonly statuses: Map<number, number>;
}

interface FaultTallies {
  readonly faults: ReadonlyMap<HostFault, FaultTally>;
}

/** Payments that are presented at both hosts, and what became of them. */
interface Presented<Result> {
  /** Begins to present so many; what is returned says the statuses once all are answered. */
  begin(count: number, shops: readonly Shop[]): Promise<() => Promise<readonly number[]>>;
  end(ledgerUrl: string, shops: readonly Shop[]): Promise<Result>;
}

/** A way of paying at two hosts. */
export interface HostsSale<Result> {
  /** Settings of the services beside those of every soak. */
  readonly environment: (chain: SandboxChain) => Readonly<Record<string, string>>;
  /** True if a facilitator is asked for each payment. */
  readonly asksFacilitator: boolean;
  open(buying: Buying): Promise<Presented<Result>>;
}

/** Each payment is a transfer. */
export const BY_TRANSFER: HostsSale<DoubledResult> = {
  environment: () => ({}),
  asksFacilitator: true,
  open: async (buying) => new DoubledPayments(buying),
};

const AUTHORIZER_KEY = `0x${'17'.repeat(32)}` as const;
const WITHDRAW_DELAY = 900;

/** Payments are vouchers of a few channels, which the hosts claim by themselves, of one account. */
export const BY_CHANNEL: HostsSale<VouchersResult> = {
  environment: ({ facilitator }) => ({
    PAYMENTS_MODE: 'self',
    FACILITATOR_PRIVATE_KEY: facilitator.privateKey,
    GAS_PRICE_CAP_GWEI: '100',
    CHANNEL_AUTHORIZER_KEY: AUTHORIZER_KEY,
    CHANNEL_WITHDRAW_DELAY_SECONDS: String(WITHDRAW_DELAY),
  }),
  asksFacilitator: false,
  open: (buying) =>
    DoubledVouchers.open(buying, {
      receiverAuthorizer: privateKeyToAddress(AUTHORIZER_KEY),
      withdrawDelay: WITHDRAW_DELAY,
    }),
};

interface Host {
  readonly relay: Relay;
  readonly environment: Record<string, string>;
  served: Served;
}

/**
 * Two hosts, one receiver, one PostgreSQL with a synchronous stand-by, each payment at both hosts in the same
 * moment, faults in the midst of it.
 */
export async function soakHosts<Result extends object>(
  options: HostsSoakOptions,
  sale: HostsSale<Result>,
): Promise<Result & FaultTallies> {
  const random = new Random(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'soak-hosts-'));
  const [pair, chain] = await Promise.all([
    PostgresPair.start(),
    startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS }),
  ]);
  const facilitator = await FaultyFacilitator.start(chain, random);
  facilitator.calm();
  await pair.primary.database('hosts');
  const url = pair.url('hosts');
  const hosts: Host[] = [];
  try {
    for (const name of ['one', 'two']) {
      const relay = await Relay.start(pair.address.port);
      const environment = {
        ...serviceEnvironment(chain, ''),
        FACILITATOR_URL: facilitator.url,
        LEDGER_URL: pair.primary.url('hosts', 'owner', relay.port),
        RECEIPT_KEYS_FILE: join(folder, 'receipt-keys.json'),
        ...sale.environment(chain),
      };
      hosts.push({ relay, environment, served: await startService(name, environment) });
    }
    const payments = await sale.open({ random, chain, buyers: await openWallets(chain) });
    const { asksFacilitator } = sale;
    return await new Rounds({ random, pair, facilitator, hosts, url, payments, asksFacilitator }).run(
      options,
    );
  } finally {
    for (const { served, relay } of hosts) {
      served.child.process.kill('SIGKILL');
      await relay.stop();
    }
    await facilitator.stop();
    await chain.stop();
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Parts<Result> {
  readonly random: Random;
  readonly pair: PostgresPair;
  readonly facilitator: FaultyFacilitator;
  readonly hosts: readonly Host[];
  readonly url: string;
  readonly payments: Presented<Result>;
  readonly asksFacilitator: boolean;
}

class Rounds<Result extends object> {
  readonly #parts: Parts<Result>;
  readonly #faults = new Map<HostFault, FaultTally>();

  constructor(parts: Parts<Result>) {
    this.#parts = parts;
  }

  async run({
    rounds,
    payments,
    only = HOST_FAULTS,
    progress,
  }: HostsSoakOptions): Promise<Result & FaultTallies> {
    for (let round = 0; round < rounds; round++) {
      // Each kind once, then as drawn.
      const fault = only[round] ?? this.#parts.random.pick(only);
      await this.#round(fault, payments);
      progress?.(round + 1, fault);
    }
    const { url, hosts, payments: made } = this.#parts;
    const end = await made.end(
      url,
      hosts.map(({ served }) => served),
    );
    return Object.assign(end, { faults: this.#faults });
  }

  async #round(fault: HostFault, count: number): Promise<void> {
    const tally = this.#faults.get(fault) ?? { rounds: 0, payments: 0, statuses: new Map() };
    this.#faults.set(fault, tally);
    tally.rounds++;
    tally.payments += count;
    const { payments, hosts, facilitator, asksFacilitator } = this.#parts;
    const before = facilitator.took.size;
    const answered = await payments.begin(
      count,
      hosts.map(({ served }) => served),
    );
    const answers = answered();
    if (fault === 'failover' && asksFacilitator) await this.#taken(before + count / 2, answers);
    else await wait(this.#parts.random.between(0, 120));
    await this.#inflict(fault, this.#parts.random.pick(this.#parts.hosts));
    for (const status of await answers) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  }

  /** Until the facilitator was asked to settle so many payments, or all are answered. */
  async #taken(count: number, answers: Promise<unknown>): Promise<void> {
    const { took } = this.#parts.facilitator;
    let isOver = false;
    void answers.then(() => {
      isOver = true;
    });
    while (!isOver && took.size < count) await wait(5);
  }

  /** Begins a fault and ends it. */
  async #inflict(fault: HostFault, host: Host): Promise<void> {
    const { pair, random } = this.#parts;
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
        await pair.primary.signal(fault === 'crash' ? 'SIGQUIT' : 'SIGINT');
        await wait(whileMs / 5);
        return pair.primary.begin();
      case 'failover':
        await pair.failOver(whileMs / 5);
        return pair.join();
      default:
        host.relay.set(fault);
        await wait(whileMs);
        // Data on its way when the network came back is lost with its connections.
        host.relay.set('cut');
        host.relay.set('open');
    }
  }
}
