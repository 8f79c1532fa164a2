import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { privateKeyToAddress } from 'viem/accounts';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { type Child, firstLine, startChild } from '../../src/host/process/child.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { isPaid } from '../../src/pay/record.ts';
import { quantityText } from '../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { Channels, type StoredChannel } from '../../src/pay/schemes/batch-settlement/channels.ts';
import { placeChannelContracts } from '../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { bundle } from '../bundle.ts';
import { sellerAt } from '../pay/routes.ts';
import { answerFaults, rowFaults, sums, unserved } from './channel-books.ts';
import { type BoughtChannel, ChannelBuyer, requestWithdrawal } from './channel-buyer.ts';
import { openChannelWatch } from './channel-ledger.ts';
import { BASE_URL, BLOCK_SECONDS, type Served, serviceEnvironment, startService } from './pay-run.ts';
import { openWallets } from './pay-wallets.ts';
import { Random } from './random.ts';

export interface ChannelSoakOptions {
  readonly seed: number;
  readonly vouchers: number;
  readonly kills: number;
  readonly progress?: (kill: number, vouchers: number) => void;
}

export interface ChannelSoakResult {
  readonly problems: readonly string[];
  readonly vouchers: number;
  readonly kills: number;
  readonly channels: number;
  /** Payments by channel that the ledger calls paid. */
  readonly sales: number;
  /** Answers that were had, each counted once. */
  readonly served: number;
  /** Sales whose answer was lost, and for which the buyer did not come again. */
  readonly lost: number;
  /** Atomic units. */
  readonly charged: bigint;
  readonly claimed: bigint;
  readonly received: bigint;
  readonly statuses: ReadonlyMap<string, number>;
}

const KEY = `0x${'17'.repeat(32)}` as const;
const TERMS = { receiverAuthorizer: privateKeyToAddress(KEY), withdrawDelay: 900 };
const BUYERS = 12;
/** More than the buyers of a run open. */
const MOST_CHANNELS = 100_000;
/** Looks until all is claimed. */
const LAST_LOOKS = 40;
const LEAVE_AGAIN = 10;
const LONGEST_ROUND_MS = 8_000;
const ETHER = 10n ** 20n;

/** Hostile buyers by channel against a service and a claimer that are killed, on a real chain. */
export async function soakChannel(options: ChannelSoakOptions): Promise<ChannelSoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-channel-'));
  const chain = await startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS });
  const scene = new Scene(options, chain, join(folder, 'ledger'));
  try {
    return await scene.run();
  } finally {
    await scene.stop();
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Scene {
  readonly #options: ChannelSoakOptions;
  readonly #chain: SandboxChain;
  readonly #random: Random;
  readonly #environment: Record<string, string>;
  readonly #store: LedgerStore;
  readonly #problems: string[] = [];
  readonly #charged = new Map<string, bigint>();
  #buyers: readonly ChannelBuyer[] = [];
  #service: Served | undefined;
  #claimer: Child | undefined;
  #vouchers = 0;
  #kills = 0;

  constructor(options: ChannelSoakOptions, chain: SandboxChain, ledgerPath: string) {
    this.#options = options;
    this.#chain = chain;
    this.#random = new Random(options.seed);
    this.#environment = {
      ...serviceEnvironment(chain, ledgerPath),
      PAYMENTS_MODE: 'sandbox',
      FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
      CHANNEL_AUTHORIZER_KEY: KEY,
      CHANNEL_WITHDRAW_DELAY_SECONDS: String(TERMS.withdrawDelay),
    };
    this.#store = openLmdbStore(ledgerPath, { formats: FORMATS });
  }

  async run(): Promise<ChannelSoakResult> {
    const { kills, vouchers, progress } = this.#options;
    await placeChannelContracts(this.#chain.rpc);
    await this.#openBuyers();
    for (let kill = 1; kill <= kills || this.#vouchers < vouchers; kill++) {
      await this.#killOnce(this.#vouchers + Math.ceil(vouchers / kills));
      this.#kills = kill;
      progress?.(kill, this.#vouchers);
    }
    return this.#end();
  }

  async #openBuyers(): Promise<void> {
    const chain = this.#chain;
    const seller = sellerAt(BASE_URL, chain.payee.address);
    const random = this.#random;
    const url = (): string => this.#service?.url ?? '';
    const wallets = await openWallets(chain);
    this.#buyers = wallets
      .slice(0, BUYERS)
      .map((account) => new ChannelBuyer({ random, account, seller, terms: TERMS, chain, url }));
  }

  /** Load until so many vouchers were sent, or for long enough, then a kill of the service, of the claimer, or of both in its midst. */
  async #killOnce(until: number): Promise<void> {
    const random = this.#random;
    this.#service ??= await startService('service', this.#environment);
    this.#claimer ??= await this.#startClaimer();
    // Half of the time the facilitator cannot pay for its transactions.
    await this.#fundFacilitator(this.#vouchers === 0 || random.chance(0.5));
    let isOver = false;
    const buying = this.#buyers.map(async (buyer) => {
      while (!isOver) {
        const sent = await buyer.turn();
        this.#vouchers += sent;
      }
    });
    // Where the facilitator cannot pay, all buyers may come to wait for their deposits.
    const began = performance.now();
    while (this.#vouchers < until && performance.now() - began < LONGEST_ROUND_MS) await wait(5);
    const point = random.between(1, 10);
    if (point <= 8) await this.#killService();
    if (point >= 7) await this.#killClaimer();
    isOver = true;
    await Promise.all(buying);
    await this.#check();
  }

  async #killService(): Promise<void> {
    this.#service?.child.process.kill('SIGKILL');
    await this.#service?.child.exited;
    this.#service = undefined;
  }

  async #killClaimer(): Promise<void> {
    this.#claimer?.process.kill('SIGKILL');
    await this.#claimer?.exited;
    this.#claimer = undefined;
  }

  async #startClaimer(): Promise<Child> {
    const program = pathToFileURL(await bundle(new URL('channel-claimer.ts', import.meta.url)));
    const child = startChild('claimer', program, [JSON.stringify(this.#environment)]);
    await firstLine(child);
    return child;
  }

  #fundFacilitator(isFunded: boolean): Promise<unknown> {
    const { rpc, facilitator } = this.#chain;
    return rpc('anvil_setBalance', [facilitator.address, quantityText(isFunded ? ETHER : 0n)]);
  }

  async #rows(): Promise<readonly StoredChannel[]> {
    const { accounts } = this.#store;
    if (accounts === undefined) throw new Error('a store without accounts');
    const { found } = await new Channels(accounts, systemClock).page(undefined, MOST_CHANNELS);
    return found;
  }

  #bought(): readonly BoughtChannel[] {
    return this.#buyers.flatMap(({ channels }) => channels);
  }

  /** The three inequalities, of every channel as it is stored. */
  async #check(): Promise<void> {
    const signed = new Map(this.#bought().map((channel) => [channel.id, channel.signed]));
    for (const { id, channel } of await this.#rows()) {
      const charged = BigInt(channel.charged);
      const newest = BigInt(channel.newest?.total ?? 0);
      this.#hold(id, BigInt(channel.chain.claimed) <= charged, 'claimed above what is charged');
      this.#hold(id, charged <= newest || newest === 0n, 'charged above its voucher');
      this.#hold(id, newest <= (signed.get(id) ?? 0n), 'a voucher that nobody signed');
      this.#hold(id, charged <= BigInt(channel.chain.balance), 'charged above what it holds');
      this.#hold(id, charged >= (this.#charged.get(id) ?? 0n), 'charged less than before');
      this.#charged.set(id, charged);
    }
  }

  #hold(id: string, isHeld: boolean, breach: string): void {
    if (!isHeld) this.#problems.push(`${id}: ${breach}`);
  }

  /** All come to rest: every buyer leaves, all is claimed, and the books are compared with the chain. */
  async #end(): Promise<ChannelSoakResult> {
    await this.#fundFacilitator(true);
    await this.#killClaimer();
    await this.#service?.child.stop(10_000);
    this.#service = undefined;
    await this.#settleOpen();
    const { watch, ledger } = await openChannelWatch(this.#environment, {
      now: () => asMs(Date.now() + HOUR_MS),
    });
    for (let i = 0; i < LAST_LOOKS && (await this.#owed()) > 0n; i++) {
      // A refund that comes late takes the place of a withdrawal.
      if (i % LEAVE_AGAIN === 0) for (const channel of this.#bought()) await this.#leave(channel);
      await watch.look().catch((cause: unknown) => this.#problems.push(`the last look: ${String(cause)}`));
      await wait(BLOCK_SECONDS * 2_000);
    }
    await watch.look();
    await wait(BLOCK_SECONDS * 2_000);
    await this.#check();
    const result = await this.#books();
    await ledger.close();
    return result;
  }

  async #leave(channel: BoughtChannel): Promise<void> {
    await requestWithdrawal(this.#chain, channel.config.payer, channel);
  }

  /** A service without buyers closes what killed ones have left. */
  async #settleOpen(): Promise<void> {
    this.#service = await startService('service', this.#environment);
    for (let i = 0; i < 25; i++) {
      if ((await this.#rows()).every(({ channel }) => channel.open === undefined)) break;
      await wait(200);
    }
    await this.#service.child.stop(10_000);
    this.#service = undefined;
  }

  async #owed(): Promise<bigint> {
    return (await this.#rows()).reduce(
      (sum, { channel }) => sum + BigInt(channel.charged) - BigInt(channel.chain.claimed),
      0n,
    );
  }

  async #books(): Promise<ChannelSoakResult> {
    const rows = await this.#rows();
    const records = await this.#store.list({ limit: Number.MAX_SAFE_INTEGER });
    const paid = records.filter(isPaid);
    const bought = this.#bought();
    const received = await this.#chain.balanceOf(this.#chain.payee.address);
    const { charged, claimed } = sums(rows);
    const { lost, faults } = unserved(bought, paid);
    this.#problems.push(...rowFaults(rows, paid), ...answerFaults(bought, paid), ...faults);
    if (received !== claimed) this.#problems.push(`claimed ${claimed}, received ${received}`);
    return {
      problems: this.#problems,
      vouchers: this.#vouchers,
      kills: this.#kills,
      channels: rows.length,
      sales: paid.length,
      served: bought.reduce((sum, { got }) => sum + got.size, 0),
      lost,
      charged,
      claimed,
      received,
      statuses: this.#statuses(),
    };
  }

  #statuses(): ReadonlyMap<string, number> {
    const sum = new Map<string, number>();
    for (const { statuses } of this.#buyers)
      for (const [name, count] of statuses) sum.set(name, (sum.get(name) ?? 0) + count);
    return sum;
  }

  async stop(): Promise<void> {
    await this.#killService();
    await this.#killClaimer();
    await this.#store.close();
  }
}
