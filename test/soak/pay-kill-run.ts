import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/domain/clock.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { createOwner } from '../../src/storage/process-owner.ts';
import { sellerAt } from '../pay/routes.ts';
import type { Signer } from '../pay/wallet.ts';
import { compared, reconcile, saleFaults } from './ledger-comparison.ts';
import { type Answer, buyOnce, type Sale } from './pay-buyer.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { BASE_URL, BLOCK_SECONDS, type Served, serviceEnvironment, startService } from './pay-run.ts';
import { openWallets } from './pay-wallets.ts';
import { Random } from './random.ts';

export interface KillSoakOptions {
  readonly seed: number;
  readonly kills: number;
  readonly progress?: (kill: number, closedMs: number) => void;
}

export interface KillSoakResult {
  readonly problems: readonly string[];
  readonly kills: number;
  readonly sales: number;
  readonly served: number;
  readonly transfers: number;
  readonly chainTotal: bigint;
  readonly ledgerTotal: bigint;
  /** Payments that a killed process left in flight. */
  readonly interrupted: number;
  /** Paid answers that a kill cut off, and that the next process gave. */
  readonly fetched: number;
  /** Answers that had left whole when their buyer broke off, and that were not given a second time. */
  readonly declined: number;
  /** From readiness until ledger and chain were equal, ms; the longest. */
  readonly slowestMs: number;
}

/** After readiness the ledger must equal the chain within this long. */
const WITHIN_MS = 5_000;
const AT_ONCE = 16;
const POLL_MS = 50;

/** Of a hundred cut-off answers, so many may have left whole before their buyer broke off: it takes one moment. */
const MAX_DECLINED = 1;
/** In a short run. */
const FEW_DECLINED = 2;

/** The refusal of a payment whose answer has been had. */
const isUsed = ({ status, text }: Answer): boolean => status === 402 && text.includes('"authorization_used"');

/** Kills the serving process at random moments of paid load, and looks whether the next one leaves nothing open. */
export async function soakKill({ seed, kills, progress }: KillSoakOptions): Promise<KillSoakResult> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'soak-kill-'));
  const chain = await startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS });
  const facilitator = await FaultyFacilitator.start(chain, random);
  facilitator.calm();
  const buyers = await openWallets(chain);
  const scene = new Scene({ chain, facilitator, ledgerPath: join(folder, 'ledger'), random, buyers });
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const closedMs = await scene.killOnce();
      progress?.(kill, closedMs);
    }
    return await scene.end();
  } finally {
    await scene.stop();
    await facilitator.stop();
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface LoadSale extends Sale {
  readonly answers: Answer[];
}

interface Load {
  readonly stop: () => void;
  /** Resolved with the first answer that was paid for. */
  readonly served: Promise<void>;
  readonly ended: Promise<readonly LoadSale[]>;
}

interface SceneParts {
  readonly chain: SandboxChain;
  readonly facilitator: FaultyFacilitator;
  readonly ledgerPath: string;
  readonly random: Random;
  readonly buyers: readonly Signer[];
}

class Scene {
  readonly #chain: SandboxChain;
  readonly #environment: Record<string, string>;
  readonly #ledgerPath: string;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #buyers: readonly Signer[];
  readonly #sales: Sale[] = [];
  readonly #problems: string[] = [];
  #interrupted = 0;
  #fetched = 0;
  #declined = 0;
  #slowestMs = 0;
  #kills = 0;
  #service: Served | undefined;

  constructor({ chain, facilitator, ledgerPath, random, buyers }: SceneParts) {
    this.#chain = chain;
    this.#random = random;
    this.#buyers = buyers;
    this.#ledgerPath = ledgerPath;
    this.#environment = {
      ...serviceEnvironment(chain, ledgerPath),
      FACILITATOR_URL: facilitator.url,
    };
    this.#ledger = new Ledger({
      store: openLmdbStore(ledgerPath, { formats: FORMATS }),
      clock: systemClock,
      owner: createOwner(),
    });
  }

  get #seller() {
    return sellerAt(BASE_URL, this.#chain.payee.address);
  }

  /** Load, a kill in the midst of it, a restart; the time from readiness until the books are equal. */
  async killOnce(): Promise<number> {
    const service = this.#service ?? (await startService('service', this.#environment));
    const load = this.#load(service.url);
    // Most kills come when the process is warm, some while it takes its first payments.
    if (this.#random.chance(0.85)) await load.served;
    await new Promise((resolve) => setTimeout(resolve, this.#random.between(0, 300)));
    service.child.process.kill('SIGKILL');
    await service.child.exited;
    this.#kills++;
    load.stop();
    const sales = await load.ended;
    const { open } = await compared(this.#chain, this.#ledger, this.#seller);
    this.#interrupted += open.filter(({ owner, state }) => owner !== undefined && state !== 'unknown').length;
    this.#service = await startService('service', this.#environment);
    const took = await this.#untilEqual();
    await this.#fetchLost(sales, this.#service.url);
    this.#sales.push(...sales);
    this.#slowestMs = Math.max(this.#slowestMs, took);
    return took;
  }

  #load(url: string): Load {
    const random = this.#random;
    const seller = this.#seller;
    const sales: LoadSale[] = [];
    let stopped = false;
    let serve: () => void = () => {};
    const served = new Promise<void>((resolve) => {
      serve = resolve;
    });
    const buyer = async (): Promise<void> => {
      while (!stopped) {
        const account = random.pick(this.#buyers);
        const sale = await buyOnce({ random, account, seller, urls: [url], once: true });
        if (sale.answers.some(({ status }) => status === 200)) serve();
        sales.push({ ...sale, answers: [...sale.answers] });
      }
    };
    const ended = Promise.all(Array.from({ length: AT_ONCE }, buyer)).then(() => sales);
    const stop = (): void => {
      stopped = true;
    };
    return { stop, served, ended };
  }

  /** A buyer that paid and saw its connection break gets its answer from the next process. */
  async #fetchLost(sales: readonly LoadSale[], url: string): Promise<void> {
    const { paidNonces, deliveredNonces } = await compared(this.#chain, this.#ledger, this.#seller);
    for (const { kind, withId, nonces, answers, again } of sales) {
      const nonce = nonces.find((each) => paidNonces.has(each));
      if (nonce === undefined || answers.some(({ status }) => status === 200)) continue;
      // A buyer who breaks off himself may do so with the whole answer before him: no seller can see that.
      const hadIt = kind === 'cut' && deliveredNonces.has(nonce) && !withId;
      const answer = await again(url);
      answers.push(answer);
      if (hadIt) this.#declined++;
      else this.#fetched++;
      if (hadIt ? isUsed(answer) : answer.status === 200) continue;
      const { status, text } = answer;
      const before = deliveredNonces.has(nonce) ? 'delivered' : 'settled';
      this.#problems.push(
        `kill ${this.#kills}: ${nonce} (${kind}) ${before}, then ${status} ${text.slice(0, 120)}`,
      );
    }
  }

  /** Polls: the service reconciles by itself, nobody asks it to. */
  async #untilEqual(): Promise<number> {
    const began = performance.now();
    for (;;) {
      const { problems: wrong, open } = await compared(this.#chain, this.#ledger, this.#seller);
      const problems = [...wrong];
      // A payment that was not submitted stays unknown until it expires; none stays in the hands of the dead.
      for (const { nonce, state } of open) if (state !== 'unknown') problems.push(`${nonce}: still ${state}`);
      const took = performance.now() - began;
      if (problems.length === 0) return took;
      if (took > WITHIN_MS) {
        this.#problems.push(...problems.map((problem) => `kill ${this.#kills}: ${problem}`));
        return took;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** All that is still open is closed, as an hour later. */
  async end(): Promise<KillSoakResult> {
    await this.#service?.child.stop(10_000);
    const books = await reconcile(this.#chain, { ledgerPath: this.#ledgerPath }, this.#seller);
    const most = Math.max(FEW_DECLINED, (this.#fetched * MAX_DECLINED) / 100);
    const problems = [
      ...this.#problems,
      ...(this.#declined > most
        ? [`${this.#declined} answers that nobody read are called delivered, at most ${most}`]
        : []),
      ...books.problems,
      ...saleFaults(this.#sales, books.paidNonces),
    ];
    return {
      problems,
      kills: this.#kills,
      sales: this.#sales.length,
      served: this.#sales.flatMap(({ answers }) => answers).filter(({ status }) => status === 200).length,
      transfers: books.transfers,
      chainTotal: books.chainTotal,
      ledgerTotal: books.ledgerTotal,
      interrupted: this.#interrupted,
      fetched: this.#fetched,
      declined: this.#declined,
      slowestMs: this.#slowestMs,
    };
  }

  async stop(): Promise<void> {
    await this.#service?.child.stop(10_000);
    await this.#ledger.close();
  }
}
