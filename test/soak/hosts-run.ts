import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { wait } from '../../src/runtime/timer.ts';
import { PostgresServer } from '../pay/postgres-server.ts';
import { Relay } from '../pay/relay.ts';
import { DoubledPayments, type DoubledResult } from './doubled-payments.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { BLOCK_SECONDS, type Served, serviceEnvironment, startService } from './pay-run.ts';
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

export interface HostsSoakResult extends DoubledResult {
  readonly faults: ReadonlyMap<HostFault, FaultTally>;
}

interface Host {
  readonly relay: Relay;
  readonly environment: Record<string, string>;
  served: Served;
}

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
    const payments = new DoubledPayments({ random, chain, buyers: await openWallets(chain) });
    return await new Rounds({ random, server, hosts, url, payments }).run(options);
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
  readonly server: PostgresServer;
  readonly hosts: readonly Host[];
  readonly url: string;
  readonly payments: DoubledPayments;
}

class Rounds {
  readonly #parts: Parts;
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
    const { url, hosts, payments: made } = this.#parts;
    const end = await made.end(
      url,
      hosts.map(({ served }) => served),
    );
    return { ...end, faults: this.#faults };
  }

  async #round(fault: HostFault, count: number): Promise<void> {
    const tally = this.#faults.get(fault) ?? { rounds: 0, payments: 0, statuses: new Map() };
    this.#faults.set(fault, tally);
    tally.rounds++;
    tally.payments += count;
    const { payments, hosts } = this.#parts;
    const answered = await payments.begin(
      count,
      hosts.map(({ served }) => served),
    );
    await wait(this.#parts.random.between(0, 120));
    await this.#inflict(fault, this.#parts.random.pick(this.#parts.hosts));
    for (const status of await answered()) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
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
}
