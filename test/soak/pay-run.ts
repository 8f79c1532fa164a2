import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWire } from '../../src/domain/read.ts';
import { type Child, firstLine, startChild } from '../../src/host/process/child.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { bundle } from '../bundle.ts';
import { sellerAt } from '../pay/routes.ts';
import type { Signer } from '../pay/wallet.ts';
import { countBy, reconcile, saleFaults } from './ledger-comparison.ts';
import { buyOnce, type Sale } from './pay-buyer.ts';
import { FaultyFacilitator } from './pay-facilitator.ts';
import { openWallets } from './pay-wallets.ts';
import { Random } from './random.ts';

export interface PaySoakOptions {
  readonly seed: number;
  readonly purchases: number;
  /** Purchases at a time. */
  readonly atOnce?: number;
  readonly progress?: (done: number) => void;
}

export interface PaySoakResult {
  readonly problems: readonly string[];
  readonly sales: number;
  /** Answers with 200. */
  readonly served: number;
  readonly transfers: number;
  /** Atomic units. */
  readonly chainTotal: bigint;
  readonly ledgerTotal: bigint;
  readonly faults: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<number, number>;
  /** Payments in the ledger by state and reason, once all is closed. */
  readonly fates: ReadonlyMap<string, number>;
  /** Seconds of buying, and of closing and comparing. */
  readonly sellSeconds: number;
  readonly closeSeconds: number;
}

export const BASE_URL = 'http://127.0.0.1:8402';
/** The longest settlement in flight, several times over. */
const STOP_MS = 30_000;
/** As of a chain with a fast sequencer; a block for each payment would make the chain the slowest part. */
export const BLOCK_SECONDS = 0.2;

/** Random adversarial purchases against two processes that share one ledger, a real chain and faulty facilitators. */
export async function soakPay(options: PaySoakOptions): Promise<PaySoakResult> {
  const random = new Random(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'soak-pay-'));
  const chain = await startSandboxChain({ blockTimeSeconds: BLOCK_SECONDS });
  const services: Served[] = [];
  try {
    const facilitators = [
      await FaultyFacilitator.start(chain, random),
      await FaultyFacilitator.start(chain, random),
    ];
    services.push(...(await startServices(chain, facilitators, join(folder, 'ledger'))));
    return await runMarket(options, {
      random,
      chain,
      facilitators,
      services,
      folder: join(folder, 'ledger'),
    });
  } finally {
    for (const { child } of services) child.process.kill('SIGKILL');
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Market {
  readonly random: Random;
  readonly chain: SandboxChain;
  readonly facilitators: readonly FaultyFacilitator[];
  readonly services: readonly Served[];
  /** Of the ledger. */
  readonly folder: string;
}

/** Sells, stops everything, and balances the books. */
async function runMarket(options: PaySoakOptions, market: Market): Promise<PaySoakResult> {
  const { chain, facilitators, services, folder } = market;
  const buyers = await openWallets(chain);
  const began = performance.now();
  const sales = await sellAll(options, market, buyers);
  const sold = performance.now();
  for (const facilitator of facilitators) facilitator.calm();
  const hung = await stopServices(services);
  await Promise.all(facilitators.map((facilitator) => facilitator.stop()));
  const books = await reconcile(chain, { ledgerPath: folder }, sellerAt(BASE_URL, chain.payee.address));
  const answers = sales.flatMap((sale) => sale.answers);
  return {
    ...books,
    problems: [
      ...books.problems,
      ...saleFaults(sales, books.paidNonces),
      ...takenTwice(facilitators),
      ...hung,
    ],
    sales: sales.length,
    served: answers.filter(({ status }) => status === 200).length,
    faults: sumOf(facilitators),
    statuses: countBy(answers, ({ status }) => status),
    sellSeconds: (sold - began) / 1000,
    closeSeconds: (performance.now() - sold) / 1000,
  };
}

/** Names those that had to be made to stop. */
async function stopServices(services: readonly Served[]): Promise<readonly string[]> {
  await Promise.all(services.map(({ child }) => child.stop(STOP_MS)));
  const codes = await Promise.all(services.map(({ child }) => child.exited));
  return codes.flatMap((code) => (code === 0 ? [] : [`a service ended with ${code ?? 'a signal'}`]));
}

function takenTwice([first, second]: readonly FaultyFacilitator[]): readonly string[] {
  return [...(first?.took ?? [])]
    .filter((nonce) => second?.took.has(nonce))
    .map((nonce) => `${nonce}: asked elsewhere after it was taken on`);
}

function sumOf(facilitators: readonly FaultyFacilitator[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const { faults } of facilitators)
    for (const [name, count] of faults) sum.set(name, (sum.get(name) ?? 0) + count);
  return sum;
}

export interface Served {
  readonly child: Child;
  readonly url: string;
}

async function startServices(
  chain: SandboxChain,
  facilitators: readonly FaultyFacilitator[],
  ledgerPath: string,
): Promise<readonly Served[]> {
  return Promise.all(
    ['one', 'two'].map((name) =>
      startService(name, {
        ...serviceEnvironment(chain, ledgerPath),
        FACILITATOR_URL: facilitators.map(({ url }) => url).join(','),
      }),
    ),
  );
}

/** The payment configuration of a service of the soaks. */
export function serviceEnvironment(chain: SandboxChain, ledgerPath: string): Record<string, string> {
  return {
    PAYMENTS_MODE: 'remote',
    PAY_TO_ADDRESS: chain.payee.address,
    BASE_URL,
    RPC_URL: chain.rpcUrl,
    FACILITATOR_VERIFY_TIMEOUT_MS: '1500',
    FACILITATOR_SETTLE_TIMEOUT_MS: '2000',
    LEDGER_PATH: ledgerPath,
  };
}

export async function startService(name: string, environment: Record<string, string>): Promise<Served> {
  const program = pathToFileURL(await bundle(new URL('pay-service.ts', import.meta.url)));
  const child = startChild(name, program, [JSON.stringify(environment)]);
  const line = await firstLine(child);
  return { child, url: `http://127.0.0.1:${isWire(line) ? String(line.port) : ''}` };
}

async function sellAll(
  { purchases, atOnce = 48, progress }: PaySoakOptions,
  { random, chain, services }: Market,
  buyers: readonly Signer[],
): Promise<readonly Sale[]> {
  const seller = sellerAt(BASE_URL, chain.payee.address);
  const urls = services.map(({ url }) => url);
  const sales: Sale[] = [];
  let begun = 0;
  const buyer = async (): Promise<void> => {
    while (begun < purchases) {
      begun++;
      sales.push(await buyOnce({ random, account: random.pick(buyers), seller, urls }));
      if (sales.length % 1_000 === 0) progress?.(sales.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  return sales;
}
