import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { type Child, firstLine, startChild } from '../../src/cli/child.ts';
import { isWire } from '../../src/domain/read.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { sellerAt } from '../pay/routes.ts';
import { balanceBooks, saleFaults } from './pay-books.ts';
import { buyOnce, type Sale } from './pay-buyer.ts';
import { type FaultyFacilitator, startFaultyFacilitator } from './pay-facilitator.ts';
import { Random } from './random.ts';

export interface PaySoakOptions {
  readonly seed: number;
  readonly exchanges: number;
  /** Exchanges at a time. */
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
}

export const BASE_URL = 'http://127.0.0.1:8402';
/** Fees never run out: what is soaked is not the buyer's purse. */
const FUNDS = 10n ** 15n;

/** Random adversarial exchanges against two processes that share one ledger, a real chain and faulty facilitators. */
export async function soakPay(options: PaySoakOptions): Promise<PaySoakResult> {
  const random = new Random(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'soak-pay-'));
  const chain = await startSandboxChain({ funds: FUNDS });
  const facilitators = [
    await startFaultyFacilitator(chain, random),
    await startFaultyFacilitator(chain, random),
  ];
  const services = await startServices(chain, facilitators, join(folder, 'ledger'));
  try {
    const sales = await sellAll(
      options,
      random,
      chain,
      services.map(({ url }) => url),
    );
    for (const facilitator of facilitators) facilitator.calm();
    await Promise.all(services.map(({ child }) => child.stop(60_000)));
    await Promise.all(facilitators.map((facilitator) => facilitator.stop()));
    const books = await balanceBooks(chain, join(folder, 'ledger'), sellerAt(BASE_URL, chain.payee.address));
    const statuses = new Map<number, number>();
    for (const { answers } of sales)
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const [first, second] = facilitators;
    const twice = [...(first?.took ?? [])].filter((nonce) => second?.took.has(nonce));
    return {
      ...books,
      problems: [
        ...books.problems,
        ...saleFaults(sales, books.paidNonces),
        ...twice.map((nonce) => `${nonce}: asked elsewhere after it was taken on`),
      ],
      sales: sales.length,
      served: sales.flatMap(({ answers }) => answers).filter(({ status }) => status === 200).length,
      faults: sumOf(facilitators),
      statuses,
    };
  } finally {
    for (const { child } of services) child.process.kill('SIGKILL');
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
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
  const child = startChild(name, new URL('pay-service.ts', import.meta.url), [JSON.stringify(environment)]);
  const line = await firstLine(child);
  return { child, url: `http://127.0.0.1:${isWire(line) ? String(line.port) : ''}` };
}

async function sellAll(
  { exchanges, atOnce = 32, progress }: PaySoakOptions,
  random: Random,
  chain: SandboxChain,
  urls: readonly string[],
): Promise<readonly Sale[]> {
  const account = privateKeyToAccount(chain.buyer.privateKey);
  const seller = sellerAt(BASE_URL, chain.payee.address);
  const sales: Sale[] = [];
  let begun = 0;
  const buyer = async (): Promise<void> => {
    while (begun < exchanges) {
      begun++;
      sales.push(await buyOnce({ random, account, seller, urls }));
      if (sales.length % 1_000 === 0) progress?.(sales.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  return sales;
}
