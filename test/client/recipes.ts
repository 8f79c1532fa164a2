import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backtestPair } from '../../packages/client/recipes/backtest-pair.ts';
import { askWithinBudget } from '../../packages/client/recipes/daily-budget.ts';
import { fundingAlerts } from '../../packages/client/recipes/funding-alert.ts';
import { sizeEntry } from '../../packages/client/recipes/size-entry.ts';
import { watchFlips } from '../../packages/client/recipes/watch-stream.ts';
import { asRate } from '../../src/domain/units.ts';
import { exampleRows } from '../api/example-market.ts';
import { exampleWorld } from '../api/example-world.ts';
import { createStreamApi } from '../api/stream-api.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';

const PACKAGE = new URL('../../packages/client/', import.meta.url);
const TO = new Date('2026-11-20T21:00:00Z');

describe('the recipes, over simulated venues', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  let sale: Sale;
  let base: string;
  let client: Client;
  beforeAll(async () => {
    sale = await openSale();
    const { payments, info, readPort } = sale;
    base = await (await exampleWorld()).serve({ paywall: payments.paywall, payments: info, readPort });
    const signer = keySigner(sale.chain.buyer.privateKey);
    client = createClient({ baseUrl: base, wallet: { signer, caps: { perCall: '0.05', total: '1' } } });
  });
  afterAll(async () => {
    await sale.stop();
    rmSync(folder, { recursive: true });
  });

  it('are those of the README', () => {
    const readme = readFileSync(new URL('README.md', PACKAGE), 'utf8');
    const files = readdirSync(new URL('recipes', PACKAGE)).filter((name) => name.endsWith('.ts'));
    const missing = files.filter(
      (name) => !readme.includes(readFileSync(new URL(`recipes/${name}`, PACKAGE), 'utf8')),
    );
    expect([files.length, missing]).toEqual([6, []]);
  });

  it('scan and alert on funding', async () => {
    const alerts = await fundingAlerts(client, 5);
    expect(alerts[0]).toMatch(/^\w+: long \w+, short \w+, [\d.]+ % a year$/);
    expect(await fundingAlerts(client, 1e6)).toEqual([]);
  });

  it('size an entry over venues', async () => {
    const orders = await sizeEntry(client, 'BTC', 10_000, 50);
    expect(orders?.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(10_000, 2);
    expect(await sizeEntry(client, 'BTC', 10_000, -50)).toBeUndefined();
  });

  it('back-test a pair', async () => {
    const from = new Date(TO.getTime() - 24 * 3_600_000);
    const { hours, meanGapBps } = await backtestPair(client, {
      ticker: 'BTC',
      short: 'binance',
      long: 'okx',
      from,
      to: TO,
    });
    expect(hours).toBe(24);
    expect(meanGapBps).toEqual(expect.any(Number));
  });

  it('keep an agent within a daily budget, also when it is started again', async () => {
    const agent = {
      baseUrl: base,
      key: sale.chain.buyer.privateKey,
      ledger: join(folder, 'spent.jsonl'),
      perDayUsd: '0.004',
    };
    const before = await sale.earned();
    const first = await askWithinBudget(agent, ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE']);
    expect(first.spreads.get('BTC')).toEqual(expect.any(Number));
    expect(first.spreads.size).toBeLessThan(5);
    expect((await askWithinBudget(agent, ['ETH'])).spreads.size).toBe(0);
    const earned = (await sale.earned()) - before;
    expect(earned).toBeGreaterThan(0n);
    expect(earned).toBeLessThanOrEqual(4000n);
    expect(Number(first.spentUsd) * 1e6).toBe(Number(earned));
  });

  it('watch a stream', async () => {
    const { close, market, start, streams } = createStreamApi({ drainMs: 1 });
    const watching = createClient({ baseUrl: await start() });
    const stop = new AbortController();
    const flips: string[] = [];
    const done = watchFlips(watching, (name) => flips.push(name), stop.signal);
    await until(() => expect(streams.preview.counts.readers).toBe(1));
    market.remember(
      exampleRows().map((row) => ({
        ...row,
        fundingRate: asRate(-(row.fundingRate ?? 0)),
        version: row.version + 1,
      })),
    );
    await until(() => expect(flips).toContain('binance crypto:BTC'));
    stop.abort();
    await done;
    await close();
  });
});
