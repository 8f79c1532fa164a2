import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createPublicClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/host/process/demo-file.ts';
import { freePort } from '../../src/host/process/free-port.ts';
import type { operatorPayments } from '../../src/modules/accounting/payments.ts';
import type { OperatorEarnings } from '../../src/modules/accounting/schemas/earnings.ts';
import type { operatorState } from '../../src/modules/operator/state.ts';
import { until } from '../until.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

type OperatorPayments = Awaited<ReturnType<typeof operatorPayments>>;
type OperatorState = ReturnType<typeof operatorState>;

const folder = scratchFolder();
/** Ten of the venues and a few of their books, for the CPU that the others take; `npm run check demo` starts all. */
const VENUES = 'binance,okx,bybit,bitget,gate,kucoin,hyperliquid,aster,kraken,mexc';
let demo: ChildProcess;
let file: Required<DemoFile>;
let printed = '';
let admin = 0;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const earned = (): Promise<bigint> =>
  createPublicClient({ transport: http(file.rpc_url) }).readContract({
    address: file.asset as `0x${string}`,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [file.pay_to as `0x${string}`],
  });

const ask = async (path: string) => (await fetch(file.base_url + path)).json();
const cli = (...args: string[]) => runCli(args, { cwd: folder });

const EARLIER = ['var/demo/history/part.bin', 'var/demo.old/1-2/history/part.bin'].map((path) =>
  join(folder, path),
);

beforeAll(async () => {
  for (const path of EARLIER) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  admin = await freePort('127.0.0.1');
  demo = startCli(['demo', '--port', '0'], folder, {
    ADMIN_PORT: String(admin),
    VENUES,
    PERPMETER_BOOKS_PER_VENUE: '4',
  });
  demo.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  await until(() => expect(printed).toContain('ready in'), 100);
  file = JSON.parse(readFileSync(join(folder, 'var/demo.json'), 'utf8')) as Required<DemoFile>;
});

afterAll(async () => {
  if (demo.exitCode !== null) return;
  demo.kill('SIGTERM');
  await once(demo, 'exit');
});

describe('the demo', () => {
  it('holds eight live venues and two thousand rows, and its name', async () => {
    expect(await ask('/v1/health')).toMatchObject({
      data: 'simulated',
      payments: { mode: 'sandbox', facilitator_ok: true },
    });
    // A venue that a busy machine did not read for a while is live again with the next round.
    await until(async () => {
      const health = (await ask('/v1/health')) as { rows: number; venues: { live: number } };
      expect(health.venues.live).toBeGreaterThanOrEqual(8);
      expect(health.rows).toBeGreaterThanOrEqual(2000);
    }, 100);
    expect(await ask('/.well-known/x402.json')).toMatchObject({ data: 'simulated' });
  });

  it('removes the data of earlier ones', async () => {
    expect(existsSync(EARLIER[0] ?? '')).toBe(false);
    await until(() => expect(existsSync(join(folder, 'var/demo.old'))).toBe(false));
    expect(existsSync(join(folder, 'var/demo'))).toBe(true);
  });

  it('serves its routes as tools, and lists them in its catalog', async () => {
    const response = await fetch(`${file.base_url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('($0.001)')]);
    expect(await ask('/v1/x402/discovery/resources?type=mcp&limit=1')).toMatchObject({
      items: [
        {
          resource: `${file.base_url}/mcp`,
          // The rates, the bundle of all their pages, and streams of them: ten minutes, an hour and a day.
          accepts: ['1000', '5000', '10000', '50000', '1000000'].flatMap((amount) => [
            { scheme: 'exact', amount },
            { scheme: 'batch-settlement', amount },
          ]),
        },
      ],
    });
  });

  it('tells its metrics: rows, and the books of every venue in every gauge', async () => {
    await until(async () => {
      const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
      const values = (name: string): readonly number[] =>
        [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
          Number(value),
        );
      const { rows } = (await ask('/v1/health')) as { rows: number };
      const [counted = 0] = values('perpmeter_rows');
      // Between a reading of each a venue may list something.
      expect(Math.abs(counted - rows)).toBeLessThan(rows / 50);
      const sum = (name: string): number => values(name).reduce((a, b) => a + b, 0);
      expect(sum('perpmeter_books')).toBeGreaterThan(0);
      expect(sum('perpmeter_book_messages_total')).toBeGreaterThan(0);
      expect(sum('perpmeter_book_bytes')).toBeGreaterThan(0);
    }, 100);
  });

  it('its keys: fresh, in a private file, on loopback only', () => {
    expect(statSync(join(folder, 'var/demo.json')).mode & 0o777).toBe(0o600);
    expect(new URL(file.base_url).hostname).toBe('127.0.0.1');
    expect(new URL(file.rpc_url).hostname).toBe('127.0.0.1');
    // The first key of the public development mnemonic, whose address everybody watches.
    expect(file.buyer_address.toLowerCase()).not.toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
  });

  it('an unmodified client: pays the exact price, as in the ledger', async () => {
    const before = await earned();
    const client = new x402Client();
    registerExactEvmScheme(client, { signer: privateKeyToAccount(file.buyer_private_key as `0x${string}`) });
    const response = await wrapFetchWithPayment(
      fetch,
      client,
    )(`${file.base_url}/v1/funding/current?symbol=BTC`);
    expect(response.status).toBe(200);
    const body = (await response.json()) as { rates: { venue: string }[] };
    expect(body.rates.map(({ venue }) => venue)).toEqual(expect.arrayContaining(['binance', 'hyperliquid']));
    expect((await earned()) - before).toBe(1000n);
    // The delivery is noted after its last byte has left, in the next batch of writes.
    await until(async () => {
      const ledger = await cli('ledger', '--data-dir', 'var/demo', '--json');
      expect(ledger.stdout).toContain('"state":"delivered"');
    }, 200);
  });

  it('the operator: earnings without payment; foreign pages: refused', async () => {
    const own = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${admin}${path}`, { headers });
    expect(file.operator_url).toBe(`http://127.0.0.1:${admin}`);
    expect((await own('/v1/perp/basis?ticker=BTC')).status).toBe(200);
    const state = (await (await own('/operator/state')).json()) as OperatorState;
    const venues = VENUES.split(',');
    expect(state.venues.map(({ venue }) => venue)).toEqual(expect.arrayContaining(venues));
    expect(state.venues.every(({ feeds }) => feeds.length > 0)).toBe(true);
    const payments = (await (await own('/operator/payments')).json()) as OperatorPayments;
    const { presented, verified, settled, outcomes } = payments;
    expect(outcomes.delivered).toBeGreaterThanOrEqual(1);
    // A payment that was delivered has come all the way, and fewer come further.
    expect([presented, verified, settled, outcomes.delivered]).toEqual(
      [presented, verified, settled, outcomes.delivered].toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(payments.open.filter(({ state }) => state === 'delivered')).toEqual([]);
    const { earnings } = (await (await own('/operator/earnings')).json()) as OperatorEarnings;
    expect(earnings).toContainEqual(
      expect.objectContaining({ route: 'funding-current', margin_usd: expect.any(Number) }),
    );
    for (const path of ['/operator/state', '/v1/perp/basis?ticker=BTC', '/']) {
      expect((await own(path, { origin: 'https://evil.example' })).status, path).toBe(403);
    }
    for (const path of ['/operator/state', '/operator/payments']) {
      expect((await fetch(file.base_url + path)).status, path).toBe(404);
    }
  });

  it('signs for a visitor of its page', async () => {
    const { origin } = new URL(file.base_url);
    const call = { method: 'POST', body: '{"method":"eth_requestAccounts"}', headers: { origin } };
    const answer = await fetch(`${file.base_url}/demo/wallet`, call);
    expect(await answer.json()).toEqual({ result: [file.buyer_address] });
  });

  it('buy pays below its cap only, and nothing for an error', async () => {
    const before = await earned();
    const capped = await cli('buy', '/v1/perp/basis?ticker=BTC', '--max-usd', '0.004');
    expect([capped.code, capped.stdout]).toEqual([1, '']);
    expect(capped.stderr).toContain('the cap of a call is 0.004');
    const wrong = await cli('buy', '/v1/perp/basis?ticker=NOSUCHTHING');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ status: 404, code: 'unknown_ticker' });
    expect(await earned()).toBe(before);
    const bought = await cli('buy', '/v1/perp/basis?ticker=BTC');
    expect(bought.code).toBe(0);
    expect(JSON.parse(bought.stdout)).toMatchObject({ ticker: 'BTC' });
    expect(bought.stderr).toContain('"success":true');
    expect((await earned()) - before).toBe(5000n);
  });

  it('no other key signs for a sandbox', async () => {
    const run = await cli('buy', '/v1/perp/basis?ticker=BTC', '--key', `0x${'1'.repeat(64)}`);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('sandbox');
  });

  it('stops on a signal and leaves no process and no key behind', async () => {
    const pids = Object.values(file.pids);
    expect(pids.every(isAlive)).toBe(true);
    const command = execFileSync('ps', ['-o', 'args=', '-p', String(file.pids.chain)], { encoding: 'utf8' });
    expect(command).toContain('anvil');
    demo.kill('SIGTERM');
    const [code] = await once(demo, 'exit');
    expect(code).toBe(0);
    await until(() => expect(pids.filter(isAlive)).toEqual([]));
    expect(existsSync(join(folder, 'var/demo.json'))).toBe(false);
  });
});
