import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/domain/errors.ts';
import { asMs } from '../../src/domain/units.ts';
import { selfFacilitator } from '../../src/modules/self-settle/open-self.ts';
import { readTerms } from '../../src/modules/self-settle/terms.ts';
import { answerBytes, answerIdAt } from '../../src/pay/answer-references.ts';
import { gasCostUsd } from '../../src/pay/gas-cost.ts';
import { ledgerRow } from '../../src/pay/ledger-row.ts';
import { dueKey, idOf, openTables } from '../../src/pay/ledger-tables.ts';
import { callCost } from '../../src/pay/margin.ts';
import type { LedgerPlace } from '../../src/pay/open-ledger.ts';
import { PaymentTally } from '../../src/pay/payment-tally.ts';
import { createPayments, type Payments, type PaymentsOptions } from '../../src/pay/payments.ts';
import { createPriceSchedule } from '../../src/pay/prices.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { paidWei } from '../../src/pay/settlement-meter.ts';
import type { PaymentInput } from '../../src/pay/types.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { until } from '../until.ts';
import { problemReply } from './paid-server.ts';
import { paidRoutes, routeOf, shippedPrices } from './routes.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { encodeHeader, signAuthorization, v2Payload } from './wallet.ts';

const prices = shippedPrices();
const routes = paidRoutes();
const route = routeOf(routes, 'perp-basis');
const common = { prices, routes, renderProblem: problemReply, routeTable: 'test' };
const WORK = {
  check: () => undefined,
  produce: () => ok({ status: 200, headers: {}, body: Buffer.from('{"a":1}') }),
};
const INPUT: PaymentInput = { method: 'GET', resource: '/v1/perp/basis?ticker=BTC', address: '127.0.0.1' };

async function created(options: PaymentsOptions): Promise<Payments> {
  const made = await createPayments(options);
  if (!made.ok) throw new Error(made.errors.join('\n'));
  return made.value;
}

let folder: string;
let chain: SandboxChain;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
  chain = await startSandboxChain();
});
afterAll(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('payments on a sandbox chain', () => {
  it('are sold, proven on the chain and kept on disk', async () => {
    const ledgerPath = join(folder, 'sandbox');
    const config = sandboxConfig(chain, {
      baseUrl: 'http://127.0.0.1:8402',
      ledgerPath,
      serviceName: 'Perpmeter',
    });
    const payments = await created({ ...common, config });
    expect(payments.health()).toEqual({
      mode: 'sandbox',
      facilitator_ok: null,
      settlement_proof: 'rpc',
      ledger: 'embedded',
      ledger_ok: true,
      node_behind: null,
    });
    payments.start();
    await until(() => expect(payments.health().facilitator_ok).toBe(true));

    const unpaid = await payments.paywall.pay(route, INPUT, WORK);
    expect(unpaid.status).toBe(402);
    const signed = await signAuthorization(privateKeyToAccount(chain.buyer.privateKey), config.seller, {
      value: '5000',
    });
    const input = { ...INPUT, xPayment: encodeHeader(v2Payload(config.seller, signed)) };
    const reply = await payments.paywall.pay(route, input, WORK);
    expect([reply.status, reply.body.toString()]).toEqual([200, '{"a":1}']);
    reply.sent?.(true);
    await payments.stop();
    expect(await chain.balanceOf(chain.payee.address)).toBe(5000n);

    const again = await created({ ...common, config });
    expect(await again.ledger?.list({ limit: 10 })).toMatchObject([
      { state: 'delivered', proof: 'rpc', amount: '5000' },
    ]);
    const [row] = (await again.ledger?.list({ limit: 1 }))?.map(ledgerRow) ?? [];
    expect(row).toMatchObject({
      state: 'delivered',
      usd: '0.005',
      payer: chain.buyer.address,
      closed_at: null,
    });
    expect(JSON.stringify(row)).not.toContain(signed.signature.slice(2));
    const used = await again.paywall.pay(route, input, WORK);
    expect(JSON.parse(used.body.toString())).toMatchObject({ error: 'authorization_used' });
    await again.stop();
  });

  it('a payment that cannot be read: answers without one are swept', async () => {
    const ledgerPath = join(folder, 'damaged');
    const place = { baseUrl: 'http://127.0.0.1:8402', ledgerPath, serviceName: 'Perpmeter' };
    const tables = openTables(ledgerPath, FORMATS);
    const id = idOf({ key: 'ab'.repeat(20), claimedAt: asMs(1) } as PaymentRecord);
    const orphan = Buffer.from(`${answerIdAt(Date.now() - HOUR_MS)}${'00'.repeat(8)}`, 'hex');
    await tables.payments.put(id, Buffer.from('no payment'), 1);
    await tables.due.put(dueKey(1, id), Buffer.of(0));
    await tables.answers.put(orphan, answerBytes({ status: 200, headers: {}, body: Buffer.alloc(0) }));
    await tables.root.close();

    const said: unknown[] = [];
    const config = sandboxConfig(chain, place);
    const payments = await created({ ...common, config, onError: (cause) => said.push(cause) });
    payments.start();
    await until(() => expect(said).toMatchObject([{ message: 'not a payment of this ledger' }]));
    await payments.stop();
    const left = openTables(ledgerPath, FORMATS);
    expect(left.answers.doesExist(orphan)).toBe(false);
    await left.root.close();
  });

  it('start with every fault of routes and prices named', async () => {
    const ledgerPath = join(folder, 'faulty');
    const config = sandboxConfig(chain, {
      baseUrl: 'http://127.0.0.1:8402',
      ledgerPath,
      serviceName: 'Perpmeter',
    });
    const one = createPriceSchedule({
      currency: 'USD',
      changelog: [
        { effective: '2026-01-01T00:00:00Z', note: '', changes: [{ id: 'perp-basis', usd: '0.005' }] },
      ],
    });
    if (!one.ok) throw new Error(one.errors.join());
    const made = await createPayments({ ...common, prices: one.value, config });
    expect(made.ok ? [] : made.errors).toHaveLength(routes.length - 1);
  });
});

describe('a ledger that cannot be opened', () => {
  it('is reported with its reason', async () => {
    const ledgerPath = '/dev/null/ledger';
    const config = sandboxConfig(chain, {
      baseUrl: 'http://127.0.0.1:8402',
      ledgerPath,
      serviceName: 'Perpmeter',
    });
    const made = await createPayments({ ...common, config });
    expect(made.ok ? [] : made.errors).toEqual([expect.stringContaining('LEDGER_PATH')]);
  });

  const elsewhere: LedgerPlace = {
    kind: 'postgres',
    setting: 'LEDGER_URL',
    open: () => Promise.reject(new Error('its tables are missing')),
  };
  const configAt = () =>
    sandboxConfig(chain, {
      baseUrl: 'http://127.0.0.1:8402',
      ledgerPath: join(folder, 'elsewhere'),
      serviceName: 'Perpmeter',
    });

  it('one in another place: named by its setting', async () => {
    const made = await createPayments({ ...common, config: configAt(), ledgerPlace: elsewhere });
    expect(made).toEqual({
      ok: false,
      errors: ['LEDGER_URL: the ledger cannot be opened: its tables are missing'],
    });
  });
});

describe('payments that this process is to settle itself', () => {
  it('mode self: the cost of a sale by the gas of its receipt', async () => {
    const place = { baseUrl: 'http://127.0.0.1:8402', serviceName: 'Perpmeter' };
    const sandbox = sandboxConfig(chain, { ...place, ledgerPath: join(folder, 'gas') });
    const tally = new PaymentTally();
    const payments = await created({
      ...common,
      config: { ...sandbox, mode: 'self' },
      ownFacilitator: selfFacilitator(() => readTerms({ GAS_PRICE_CAP_GWEI: '100' })),
      observe: (event) => tally.observe(event),
    });
    const account = privateKeyToAccount(chain.buyer.privateKey);
    const signed = await signAuthorization(account, sandbox.seller, { value: '5000' });
    const input = { ...INPUT, xPayment: encodeHeader(v2Payload(sandbox.seller, signed)) };
    const reply = await payments.paywall.pay(route, input, WORK);
    expect(reply.status).toBe(200);
    await until(() => expect(payments.ways()[0]?.costs.read).toBe(1));
    const [record] = await (payments.ledger?.list({ limit: 1 }) ?? []);
    const receipt = await chain.rpc('eth_getTransactionReceipt', [record?.transaction]);
    const wei = paidWei(receipt as Parameters<typeof paidWei>[0]) ?? 0n;
    const [way] = payments.ways();
    expect(way).toMatchObject({ scheme: 'exact', network: 'eip155:8453', isAlone: true, costs: { wei } });
    const cost = way && callCost(way, tally.sales(way), { by: 'gas', coinUsd: 3_000 });
    expect(cost).toMatchObject({ transactions: 1, sales: 1, atomic: gasCostUsd(Number(wei), 3_000) * 1e6 });
    await payments.stop();
  });

  it('nothing settles here: refused, and the ledger is not opened', async () => {
    const { mode: _, ...sandbox } = sandboxConfig(chain, {
      baseUrl: 'http://127.0.0.1:8402',
      ledgerPath: join(folder, 'self'),
      serviceName: 'Perpmeter',
    });
    const made = await createPayments({ ...common, config: { ...sandbox, mode: 'self' } });
    expect(made.ok ? [] : made.errors).toEqual([
      'PAYMENTS_MODE=self: this service has no facilitator of its own',
    ]);
    expect(existsSync(join(folder, 'self'))).toBe(false);
  });
});

describe('payments switched off', () => {
  it('answer every route and charge nothing', async () => {
    const config = {
      mode: 'off',
      ledgerPath: join(folder, 'off'),
      baseUrl: 'http://127.0.0.1:1',
      serviceName: 'P',
    } as const;
    const payments = await created({ ...common, config });
    expect(payments.paywall.free).toBe(true);
    expect(payments.health()).toEqual({
      mode: 'off',
      facilitator_ok: null,
      settlement_proof: null,
      ledger: null,
      ledger_ok: null,
      node_behind: null,
    });
    const reply = await payments.paywall.pay(route, INPUT, WORK);
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'private, no-store']);
    const refused = await payments.paywall.pay(route, INPUT, {
      ...WORK,
      check: () => ({ code: 'unknown_ticker', detail: '' }),
    });
    expect(refused.status).toBe(404);
    const empty = await payments.paywall.pay(route, INPUT, {
      ...WORK,
      produce: () => fail({ code: 'no_data', detail: '' }),
    });
    expect(empty.status).toBe(404);
    const broken = await payments.paywall.pay(route, INPUT, {
      ...WORK,
      produce: () => Promise.reject(new Error('secret')),
    });
    expect([broken.status, broken.body.toString()]).toEqual([500, expect.not.stringContaining('secret')]);
    await payments.stop();
  });
});

describe('the committed contracts', () => {
  it.each([
    'src/pay/sandbox/UsdCoin',
    'src/pay/sandbox/TryAggregate',
    'src/pay/schemes/batch-settlement/sandbox/BatchSettlement',
    'src/pay/schemes/batch-settlement/sandbox/DepositCollector',
    'test/pay/OwnerWallet',
  ])('%s was compiled from its source', (path) => {
    const read = (extension: string): string =>
      readFileSync(new URL(`../../${path}${extension}`, import.meta.url), 'utf8');
    const sourceSha256 = createHash('sha256').update(read('.sol')).digest('hex');
    expect(JSON.parse(read('.artifact.json'))).toMatchObject({
      sourceSha256,
      compiler: expect.stringMatching(/^0\.8\.37/),
    });
  });
});

describe('the sandbox chain', () => {
  it('looks like Base to a buyer, and has no other accounts', async () => {
    expect(await chain.rpc('eth_chainId', [])).toBe('0x2105');
    expect(await chain.rpc('eth_accounts', [])).toEqual([]);
    expect(await chain.rpc('eth_getCode', ['0xcA11bde05977b3631167028862bE2a173976CA11', 'latest'])).not.toBe(
      '0x',
    );
    expect(chain.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await chain.balanceOf(chain.buyer.address)).toBeGreaterThan(0n);
    const other = await startSandboxChain({ funds: 7n });
    expect(other.buyer.privateKey).not.toBe(chain.buyer.privateKey);
    expect(await other.balanceOf(other.buyer.address)).toBe(7n);
    await other.stop();
    await expect(other.rpc('eth_chainId', [])).rejects.toThrow();
  });
});
