import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createPublicClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { DemoFile } from '../../src/host/process/demo-file.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';
import { type Ages, emptyAges, type OverloadTruth } from './overload-truth.ts';
import type { Random } from './random.ts';

const ASSETS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB', 'AVAX', 'LINK', 'SUI', 'WIF'] as const;
const BOOK_VENUES = ['binance', 'okx', 'bybit', 'hyperliquid', 'gate', 'kraken', 'dydx', 'bitget'] as const;
const ROUTES = [
  (asset: string) => `/v1/funding/current?symbol=${asset}&fresh=true`,
  (asset: string, venue: string) => `/v1/orderbook/${venue}/${asset}/top`,
  (asset: string, venue: string) => `/v1/orderbook/depth/${venue}/${asset}`,
  (asset: string) => `/v1/orderbook/multi-venue-slippage?ticker=${asset}`,
  (asset: string) => `/v1/orderbook/best-execution?ticker=${asset}`,
  (asset: string) => `/v1/perp/basis?ticker=${asset}`,
  (asset: string) => `/v1/perp/funding-spread?ticker=${asset}`,
  () => '/v1/perp/arbitrage/price?min_diff_bps=5',
  () => '/v1/perp/arbitrage/funding-signal',
] as const;
const PATIENCE_MS = 45_000;

/** A purchase, and its outcome. */
export interface Bought {
  sold: number;
  refused: number;
  /** Attempts without any answer. */
  lost: number;
  slowestMs: number;
  readonly statuses: Map<string, number>;
  readonly ages: Ages;
}

/** Buys one answer after the other as any client of x402 does, and checks each against the truth. */
export class OverloadBuyer {
  readonly bought: Bought = {
    sold: 0,
    refused: 0,
    lost: 0,
    slowestMs: 0,
    statuses: new Map(),
    ages: emptyAges(),
  };
  readonly #demo: Required<DemoFile>;
  readonly #random: Random;
  readonly #truth: OverloadTruth;
  readonly #pay: typeof fetch;

  constructor(demo: Required<DemoFile>, random: Random, truth: OverloadTruth) {
    this.#demo = demo;
    this.#random = random;
    this.#truth = truth;
    const client = new x402Client();
    registerExactEvmScheme(client, { signer: privateKeyToAccount(demo.buyer_private_key as `0x${string}`) });
    this.#pay = wrapFetchWithPayment(fetch, client) as typeof fetch;
  }

  /** The seller's balance on the chain, atomic units. */
  earned(): Promise<bigint> {
    const { rpc_url, asset, pay_to } = this.#demo;
    return createPublicClient({ transport: http(rpc_url) }).readContract({
      address: asset as `0x${string}`,
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [pay_to as `0x${string}`],
    });
  }

  async buy(): Promise<void> {
    const random = this.#random;
    const path = random.pick(ROUTES)(random.pick(ASSETS), random.pick(BOOK_VENUES));
    const askedAt = Date.now();
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await this.#pay(this.#demo.base_url + path, { signal });
      const answer: unknown = await response.json();
      this.#note(path, response, answer, askedAt);
    } catch (cause) {
      this.bought.lost++;
      this.bought.ages.problems.push(`${path}: ${reasonOf(cause)}`);
    }
  }

  #note(path: string, response: Response, answer: unknown, askedAt: number): void {
    const { bought } = this;
    const { status } = response;
    const receipt = response.headers.get('payment-response');
    bought.slowestMs = Math.max(bought.slowestMs, Date.now() - askedAt);
    const code = status === 200 ? '' : ` ${(answer as { code?: string }).code ?? ''}`;
    bought.statuses.set(`${status}${code}`, (bought.statuses.get(`${status}${code}`) ?? 0) + 1);
    if (status !== 200) {
      bought.refused++;
      if (status >= 500 && status !== 503) bought.ages.problems.push(`${path}: ${status}`);
      return;
    }
    if (receipt === null) bought.ages.problems.push(`${path}: served without a receipt`);
    bought.sold++;
    this.#truth.judge(path.split('?')[0] ?? path, answer, askedAt, bought.ages);
  }
}
