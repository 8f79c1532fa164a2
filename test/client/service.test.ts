import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClientOptions,
  catalogPages,
  createClient,
  dataOf,
  eip1193Signer,
  PerpmeterError,
  ratePages,
  type WalletOptions,
  windows,
} from '@perpmeter/client';
import { fileStore } from '@perpmeter/client/file-store';
import { keySigner } from '@perpmeter/client/key-signer';
import { parquetReadObjects } from 'hyparquet';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpService, startMcpService } from '../mcp/mcp-service.ts';

const CAPS = { perCall: '0.05', total: '1' };
const DAY = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T20:00:00Z' };

let service: McpService;
const folder = mkdtempSync(join(tmpdir(), 'client-'));
beforeAll(async () => {
  service = await startMcpService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const account = () => privateKeyToAccount(service.chain.buyer.privateKey);

function buyer<const D extends boolean = false>(
  wallet: Partial<WalletOptions> = {},
  more: Partial<ClientOptions<D>> = {},
) {
  return createClient<D>({
    baseUrl: service.url,
    wallet: { signer: keySigner(service.chain.buyer.privateKey), caps: CAPS, ...wallet },
    ...more,
  });
}

/** The receiver's earnings by it, atomic units. */
async function earnedBy(work: () => Promise<unknown>): Promise<bigint> {
  const before = await service.earned();
  await work();
  return (await service.earned()) - before;
}

describe('the client, at the real service', () => {
  it('buys once what is for sale, with its receipt, venues and time', async () => {
    const client = buyer();
    const earned = await earnedBy(async () => {
      const answer = await client.fundingCurrent({ symbol: 'BTC' });
      expect(answer).toMatchObject({
        ok: true,
        data: { symbol: 'BTC', rates: expect.arrayContaining([expect.objectContaining({ symbol: 'BTC' })]) },
        receipt: { success: true, network: 'eip155:8453', payer: service.chain.buyer.address },
        asOf: expect.stringMatching(/^2026-/),
        sources: { used: expect.arrayContaining(['binance']) },
      });
    });
    expect([earned, client.spentUsd()]).toEqual([1000n, '0.001']);
  });

  it.each([
    ['a viem account', () => account()],
    [
      'an EIP-1193 wallet that is on another chain',
      () => {
        let chain = '0x1';
        return eip1193Signer({
          request: async ({ method, params = [] }) => {
            if (method === 'eth_requestAccounts') return [account().address];
            if (method === 'eth_chainId') return chain;
            if (method === 'wallet_switchEthereumChain') chain = (params[0] as { chainId: string }).chainId;
            if (method !== 'eth_signTypedData_v4') return null;
            expect(chain).toBe('0x2105');
            return account().signTypedData(JSON.parse(String(params[1])));
          },
        });
      },
    ],
    [
      'a function',
      () => ({
        address: account().address,
        signTypedData: keySigner(service.chain.buyer.privateKey).signTypedData,
      }),
    ],
  ])('pays by %s', async (_, signer) => {
    expect(await earnedBy(() => dataOf(buyer({ signer: signer() }).perpBasis({ ticker: 'BTC' })))).toBe(
      5000n,
    );
  });

  it('gives times as Date on request, and takes them', async () => {
    const client = buyer({}, { dates: true });
    const { from, to } = { from: new Date(DAY.from), to: new Date(DAY.to) };
    const { data } = await dataOf(client.backtestData({ venue: 'binance', ticker: 'BTC', from, to }));
    const ts: Date | undefined = data[0]?.ts;
    expect(ts).toBeInstanceOf(Date);
    expect(ts?.getTime()).toBeGreaterThanOrEqual(from.getTime());
  });

  it('gives CSV and Parquet as bytes', async () => {
    const asked = { venue: 'binance', ticker: 'BTC', ...DAY } as const;
    const csv: Uint8Array = await dataOf(buyer().backtestData({ ...asked, format: 'csv' }));
    const lines = new TextDecoder().decode(csv).trim().split('\n');
    const parquet: Uint8Array = await dataOf(buyer().backtestData({ ...asked, format: 'parquet' }));
    const file = parquet.slice().buffer as ArrayBuffer;
    expect(await parquetReadObjects({ file })).toHaveLength(lines.length - 1);
  });

  it('times for a spreadsheet: as text in CSV, refused unpaid elsewhere', async () => {
    const asked = { venue: 'binance', ticker: 'BTC', ...DAY, time: 'excel' } as const;
    const csv = await dataOf(buyer().backtestData({ ...asked, format: 'csv' }));
    const [, first = ''] = new TextDecoder().decode(csv).split('\r\n');
    expect(first).toMatch(/^2026-11-20 \d\d:00:00,binance,BTC,/);
    const earned = await earnedBy(async () => {
      const problem = { code: 'invalid_parameter', status: 400, charged: false };
      expect(await buyer().backtestData({ ...asked, format: 'parquet' })).toMatchObject({
        ok: false,
        problem,
      });
      expect(await buyer().backtestData(asked)).toMatchObject({ ok: false, problem });
    });
    expect(earned).toBe(0n);
  });

  it('tells problems apart by code, and spends nothing more on them', async () => {
    const client = buyer();
    const wrong = await client.perpSnapshot({ ticker: 'NOSUCH' });
    expect(wrong).toMatchObject({
      ok: false,
      problem: { code: 'unknown_ticker', status: 404, charged: false },
    });
    // The payment that was signed for it buys the next answer of this price.
    const earned = await earnedBy(() => dataOf(client.perpSnapshot({ ticker: 'BTC' })));
    expect([usd(earned), client.spentUsd()]).toEqual([client.spentUsd(), client.spentUsd()]);
    const none = createClient({ baseUrl: service.url });
    expect(await none.perpSnapshot({ ticker: 'BTC' })).toMatchObject({
      problem: { code: 'payment_required' },
    });
    await expect(dataOf(none.error({ code: 'no_such' }))).rejects.toBeInstanceOf(PerpmeterError);
  });

  it('gives the amount of what was refused back where the seller is believed', async () => {
    const client = buyer({ trustRefusals: true });
    await client.perpSnapshot({ ticker: 'NOSUCH' });
    expect(client.spentUsd()).toBe('0');
  });

  it('a connection broken after settling: the same answer for it', async () => {
    let broke = 0;
    const client = buyer(
      {},
      {
        wait: async () => {},
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (!('PAYMENT-SIGNATURE' in init.headers) || broke++ > 0) return response;
          await response.arrayBuffer();
          throw new TypeError('connection broken');
        },
      },
    );
    expect(await earnedBy(() => dataOf(client.perpBasis({ ticker: 'ETH' })))).toBe(5000n);
    expect(broke).toBe(2);
  });

  it('stays within its caps with calls at the same time, and over restarts', async () => {
    const path = join(folder, 'payments.jsonl');
    const start = () =>
      buyer({ caps: { perCall: '0.001', perDay: '0.003', total: '1' }, store: fileStore(path) });
    const client = start();
    const earned = await earnedBy(async () => {
      const calls = await Promise.all(
        Array.from({ length: 6 }, () => client.fundingCurrent({ symbol: 'ETH' })),
      );
      expect(calls.filter(({ ok }) => ok)).toHaveLength(3);
      appendFileSync(path, '{"cut off');
      expect(await start().fundingCurrent()).toMatchObject({
        problem: { code: 'over_budget', cap: 'day', leftUsd: '0', priceUsd: '0.001' },
      });
      expect(await start().perpBasis({ ticker: 'BTC' })).toMatchObject({
        problem: { code: 'over_budget', cap: 'call' },
      });
    });
    expect(earned).toBe(3000n);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const kept = await fileStore(path).load();
    expect(kept.map(({ state, receipt }) => [state, receipt?.success])).toEqual(
      Array(3).fill(['bought', true]),
    );
  });

  it('walks through pages and through windows of history', async () => {
    const client = buyer();
    const whole = await dataOf(client.fundingCurrent({ symbol: 'BTC', limit: 1000 }));
    const rates = [];
    for await (const page of ratePages(client, { symbol: 'BTC', limit: 3 })) rates.push(...page.rates);
    expect(rates).toEqual(whole.rates);
    const names = [];
    for await (const { items } of catalogPages(client, { limit: 20 })) names.push(...items);
    expect(names.length).toBeGreaterThan(28);
    const hours: string[] = [];
    const asked = { ticker: 'BTC', from: '2026-11-18T00:00:00Z', to: DAY.to, aggr: '1h' } as const;
    for await (const { buckets } of windows(client.fundingHistorical, asked, 1)) {
      for (const { venue, bucket_start } of buckets) if (venue === 'binance') hours.push(bucket_start);
    }
    const { buckets } = await dataOf(client.fundingHistorical(asked));
    expect(hours.length).toBeGreaterThan(24);
    expect(hours).toEqual(
      buckets.filter(({ venue }) => venue === 'binance').map((bucket) => bucket.bucket_start),
    );
  });

  it('follows no path to another host, and reads documents that are no JSON', async () => {
    const client = buyer();
    await expect(client.request('https://elsewhere.example/v1/health')).rejects.toThrow(TypeError);
    expect(await dataOf(client.llmsTxt())).toMatch(/^# Perpmeter/);
    expect((await dataOf(client.icon())).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'));
    expect(await dataOf(client.errors({ format: 'html' }))).toMatch(/<html/);
    expect((await dataOf(client.health())).data).toBe('simulated');
  });
});

const usd = (atomic: bigint): string => String(Number(atomic) / 1e6);
