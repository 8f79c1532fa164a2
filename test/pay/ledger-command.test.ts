import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { ok } from '../../src/domain/errors.ts';
import type { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { openLedgerAt } from '../../src/pay/open-ledger.ts';
import { createPayments } from '../../src/pay/payments.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import type { SignedAuthorization } from '../../src/pay/schemes/exact/authorization.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { type CliRun, runCli, scratchFolder } from '../cli/run-cli.ts';
import { claimOf } from './ledger-claims.ts';
import { problemReply } from './paid-server.ts';
import { paidRoutes, routeOf, shippedPrices } from './routes.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { encodeHeader, signAuthorization, v2Payload } from './wallet.ts';

const dataDir = scratchFolder();
const folder = join(dataDir, 'ledger');
let chain: SandboxChain;

/** Buys one answer of each of these routes, truly. */
async function sell(ids: readonly string[]): Promise<void> {
  const prices = shippedPrices();
  const routes = paidRoutes();
  const baseUrl = 'http://127.0.0.1:8402';
  const config = sandboxConfig(chain, { baseUrl, ledgerPath: folder, serviceName: 'Perpmeter' });
  const made = await createPayments({
    config,
    prices,
    routes,
    renderProblem: problemReply,
    routeTable: 'test',
  });
  if (!made.ok) throw new Error(made.errors.join('\n'));
  const buyer = privateKeyToAccount(chain.buyer.privateKey);
  for (const id of ids) {
    const value = String(prices.priceAt(id, systemClock.now())?.atomic);
    const signed = await signAuthorization(buyer, config.seller, { value });
    const paymentSignature = encodeHeader(v2Payload(config.seller, signed));
    const route = routeOf(routes, id);
    const work = {
      check: () => undefined,
      produce: () => ok({ status: 200, headers: {}, body: Buffer.from('{}') }),
    };
    const input = { method: 'GET', resource: `${route.path}?ticker=BTC`, paymentSignature, address: '::1' };
    const reply = await made.value.paywall.pay(route, input, work);
    expect(reply.status).toBe(200);
    reply.sent?.(true);
  }
  await made.value.stop();
}

const ledger = (...args: string[]): Promise<CliRun> => runCli(['ledger', ...args, '--data-dir', dataDir]);
const reconcile = (): Promise<CliRun> => ledger('reconcile', '--rpc-url', chain.rpcUrl, '--json');
const lines = ({ stdout }: CliRun): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function tamper(change: (ledger: Ledger, newest: PaymentRecord) => Promise<unknown>): Promise<void> {
  const opened = await openLedgerAt({ ledgerPath: folder });
  const [newest] = await opened.list({ limit: 1 });
  if (newest === undefined) throw new Error('no payment');
  await change(opened, newest);
  await opened.close();
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  chain = await startSandboxChain();
  await sell(['perp-basis', 'perp-basis', 'funding-current']);
});
afterAll(async () => {
  await chain.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the ledger command', () => {
  it('lists payments without their signatures, newest first', async () => {
    const run = await ledger('--json');
    expect(run.code).toBe(0);
    expect(lines(run).map(({ route_id, state }) => [route_id, state])).toEqual([
      ['funding-current', 'delivered'],
      ['perp-basis', 'delivered'],
      ['perp-basis', 'delivered'],
    ]);
    expect(run.stdout).not.toContain('signature');
    expect(lines(await ledger('list', '--json', '--limit', '1'))).toHaveLength(1);
    expect(lines(await ledger('list', '--json', '--state', 'refused'))).toEqual([]);
  });

  it('sums what was paid by route, day and payer', async () => {
    const price = (id: string) => shippedPrices().priceAt(id, systemClock.now())?.atomic ?? 0n;
    const total = 2n * price('perp-basis') + price('funding-current');
    expect(lines(await ledger('sums', '--json'))).toMatchObject([
      { route: 'funding-current', payments: 1, amount: String(price('funding-current')) },
      { route: 'perp-basis', payments: 2, amount: String(2n * price('perp-basis')) },
    ]);
    for (const by of ['day', 'payer']) {
      expect(lines(await ledger('sums', '--by', by, '--json'))).toMatchObject([
        { payments: 3, amount: String(total) },
      ]);
    }
    expect(await chain.balanceOf(chain.payee.address)).toBe(total);
  });

  it('exports CSV', async () => {
    const { code, stdout } = await ledger('export');
    expect(code).toBe(0);
    const rows = stdout.split('\r\n');
    expect(rows[0]).toMatch(/^claimed_at,state,route_id,path,usd,amount,/);
    expect(rows).toHaveLength(5);
    expect(rows[1]?.split(',')).toHaveLength(rows[0]?.split(',').length ?? 0);
  });

  it('says what is wrong, with exit code 2', async () => {
    expect((await ledger('--limit', '0')).code).toBe(2);
    expect((await ledger('sums', '--by', 'colour')).code).toBe(2);
    expect((await ledger('--since', 'yesterday')).code).toBe(2);
    expect((await ledger('reconcile')).stderr).toContain('RPC_URL');
    expect((await ledger('reconcile', '--rpc-url', 'http://127.0.0.1:9')).code).toBe(2);
    expect((await runCli(['ledger', '--data-dir', join(dataDir, 'none')])).code).toBe(2);
    expect((await ledger('reconcile', '--help')).stdout).toContain('Exit code');
  });
});

describe('ledger reconcile of a ledger without payments', () => {
  const empty = join(dataDir, 'empty');
  const run = (...args: string[]): Promise<CliRun> =>
    runCli(['ledger', 'reconcile', '--rpc-url', chain.rpcUrl, '--data-dir', empty, '--json', ...args]);
  beforeAll(async () => {
    mkdirSync(join(empty, 'ledger'), { recursive: true });
    await (await openLedgerAt({ ledgerPath: join(empty, 'ledger') })).close();
  });

  it('is refused without who is paid, and without a time to begin at', async () => {
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--pay-to') });
    const { address } = chain.payee;
    expect(await run('--pay-to', address)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--since'),
    });
    const vague = await run('--pay-to', address, '--since', 'yesterday');
    expect(vague).toMatchObject({ code: 2, stderr: expect.stringContaining('--since must be a time') });
  });

  it('finds what was paid since then in the USDC of the network', async () => {
    const found = await run('--pay-to', chain.payee.address, '--since', '2020-01-01');
    expect(found.code).toBe(1);
    expect(lines(found).map(({ difference }) => difference)).toEqual(Array(3).fill('not_in_ledger'));
  });
});

describe('ledger reconcile', () => {
  it('finds no difference in true books', async () => {
    const run = await reconcile();
    expect([run.code, lines(run)]).toEqual([0, []]);
    expect(run.stderr).toContain('0 differences');
  });

  it('reports what was paid but is not in the ledger', async () => {
    await chain.mint(chain.payee.address, 123n);
    const run = await reconcile();
    expect(run.code).toBe(1);
    expect(lines(run)).toMatchObject([{ difference: 'not_in_ledger', ledger: null, chain: '123' }]);
  });

  it('reports what is in the ledger but not on the chain', async () => {
    await tamper(async (opened, { payTo, asset }) => {
      const claim = await opened.claim({ ...claimOf('never'), payTo, asset });
      if (claim.kind !== 'claimed') throw new Error(claim.kind);
      const settled = { state: 'settled', transaction: `0x${'ef'.repeat(32)}` } as const;
      await opened.hold(claim.record, settled, { status: 200, headers: {}, body: Buffer.from('{}') });
    });
    expect(lines(await reconcile())).toContainEqual(
      expect.objectContaining({ difference: 'not_on_chain', state: 'settled', ledger: '5000', chain: null }),
    );
  });

  it('reports a state and an amount that the chain contradicts', async () => {
    const opened = await openLedgerAt({ ledgerPath: folder });
    const [, , second, first] = await opened.list({ limit: 9 });
    if (first === undefined || second === undefined) throw new Error('too few payments');
    await opened.change(first, { state: 'refused' });
    await opened.close();
    const store = openLmdbStore(folder, { formats: FORMATS });
    const { signature, authorization } = second.signed as SignedAuthorization;
    const signed = { signature, authorization: { ...authorization, value: '4999' } };
    await store.replace(second, { ...second, signed, version: second.version + 1 });
    await store.close();
    const found = lines(await reconcile());
    expect(found).toContainEqual(
      expect.objectContaining({ difference: 'state', nonce: first.nonce, state: 'refused' }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        difference: 'amount',
        nonce: second.nonce,
        ledger: '4999',
        chain: second.amount,
      }),
    );
    expect(found).toHaveLength(4);
  });
});
