import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { addressWord, uintWord } from '../../../src/pay/abi.ts';
import { checksumAddress } from '../../../src/pay/address.ts';
import { Ledger } from '../../../src/pay/ledger.ts';
import { openLmdbStore } from '../../../src/pay/ledger-lmdb.ts';
import { openLedgerAt } from '../../../src/pay/open-ledger.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import type { Scheme } from '../../../src/pay/scheme.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import type { Channel } from '../../../src/pay/schemes/batch-settlement/lifecycle.ts';
import { openChannels } from '../../../src/pay/schemes/batch-settlement/open.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { type CliRun, runCli, scratchFolder } from '../../cli/run-cli.ts';
import { fakeFacilitator } from '../fakes.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { paidRoutes } from '../routes.ts';
import { sandboxConfig } from '../sandbox-config.ts';
import { newAccount } from '../wallet.ts';
import { sendOn } from './send-on.ts';

const PRICE = 5_000n;
const PATH = '/v1/perp/basis?ticker=BTC';
const KEY = `0x${'17'.repeat(32)}` as const;
const TERMS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 900,
  depositCalls: 5,
};
const TUPLE = '(address,address,address,address,address,uint40,bytes32)';

let chain: SandboxChain;
let scheme: Scheme;
let server: PaidServer;
let dataDir: string;
const folders: string[] = [];

beforeAll(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
});
afterAll(async () => {
  await chain.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A seller of its own for each test: what the contract has claimed for one is a sum. */
beforeEach(async () => {
  dataDir = scratchFolder();
  folders.push(dataDir);
  mkdirSync(join(dataDir, 'ledger'));
  const store = openLmdbStore(join(dataDir, 'ledger'), { formats: FORMATS });
  const ledger = new Ledger({ store, clock: systemClock, owner: 'test' });
  const place = { baseUrl: 'http://127.0.0.1', ledgerPath: '', serviceName: 'test' };
  const config = { ...sandboxConfig(chain, place), channels: TERMS };
  const payTo = checksumAddress(newAccount().address);
  const seller = { ...config.seller, payTo };
  scheme = await openChannels({
    config: { ...config, seller },
    routes: paidRoutes(),
    ledger,
    clock: systemClock,
  });
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, store, schemes: [scheme] });
});

interface Buyer {
  readonly id: string;
  readonly leave: () => Promise<void>;
}

/** Buys three answers by channel. */
async function bought(): Promise<Buyer> {
  const account = newAccount();
  await chain.mint(account.address, 1_000n * PRICE);
  const client = new BatchSettlementEvmScheme(account as never);
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', client));
  for (let i = 0; i < 3; i++) expect((await pay(server.url + PATH)).status).toBe(200);
  const { accounts } = server.ledger;
  if (accounts === undefined) throw new Error('a ledger without accounts');
  const { found } = await new Channels(accounts, systemClock).page(undefined, 9);
  const own = found.find(({ channel }) => channel.config.payer === account.address.toLowerCase());
  if (own === undefined) throw new Error('no channel');
  return { id: own.id, leave: () => leave(account.address, own.channel) };
}

/** Requests all money back, as the payer. */
async function leave(from: string, { config }: Channel): Promise<void> {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } = config;
  const addresses = [payer, payerAuthorizer, receiver, receiverAuthorizer, token].map(addressWord);
  const words = [...addresses, uintWord(BigInt(withdrawDelay)), salt.slice(2), uintWord(10_000n)];
  await sendOn(chain, from, `initiateWithdraw(${TUPLE},uint128)`, words);
}

const reconcile = async (): Promise<CliRun> => {
  await server.stop();
  return runCli(['ledger', 'reconcile', '--rpc-url', chain.rpcUrl, '--json', '--data-dir', dataDir]);
};
const lines = ({ stdout }: CliRun): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Changes the stored row of a channel. */
async function tamper(id: string, change: (channel: Channel) => Channel): Promise<void> {
  const ledger = await openLedgerAt({ ledgerPath: join(dataDir, 'ledger') });
  const account = await ledger.accounts?.read(id);
  if (account === undefined) throw new Error('no channel');
  const row = JSON.stringify(change(JSON.parse(account.row) as Channel));
  await ledger.accounts?.write({ id, version: account.version, row });
  await ledger.close();
}

describe('ledger reconcile of channels', () => {
  it('sold, claimed and paid out: no difference', async () => {
    await bought();
    const { leave: go } = await bought();
    await go();
    await scheme.watch?.look();
    const run = await reconcile();
    expect([run.code, lines(run)]).toEqual([0, []]);
    expect(run.stderr).toContain(
      '2 channels that were sold to for 0.03 USD, on the chain 0.05 USD deposited, 0 refunded, 0.015 claimed, 0.015 paid out, 0 differences',
    );
  });

  it('claimed, and sales that are not in the ledger: said so', async () => {
    const { id, leave: go } = await bought();
    await go();
    await scheme.watch?.look();
    const [newest] = await server.ledger.list({ limit: 1 });
    if (newest !== undefined) await server.ledger.release(newest);
    const run = await reconcile();
    expect(run.code).toBe(1);
    expect(lines(run)).toEqual([
      {
        difference: 'amount',
        payer: expect.stringMatching(/^0x/),
        nonce: id,
        transaction: expect.stringMatching(/^0x/),
        state: null,
        ledger: '10000',
        chain: '15000',
      },
    ]);
  });

  it('charged more than the channel holds: said so', async () => {
    const { id } = await bought();
    await server.stop();
    await tamper(id, (channel) => ({ ...channel, charged: '30000' }));
    const run = await reconcile();
    expect(lines(run)).toMatchObject([
      { difference: 'not_on_chain', nonce: id, ledger: '30000', chain: '25000' },
    ]);
  });

  it('claims of channels that the ledger does not have: said so', async () => {
    const { leave: go } = await bought();
    await go();
    await scheme.watch?.look();
    await server.stop();
    const { payTo } = server.seller;
    const empty = scratchFolder();
    folders.push(empty);
    mkdirSync(join(empty, 'ledger'));
    await (await openLedgerAt({ ledgerPath: join(empty, 'ledger') })).close();
    const place = ['--data-dir', empty, '--pay-to', payTo, '--since', '2020-01-01'];
    const run = await runCli(['ledger', 'reconcile', '--rpc-url', chain.rpcUrl, '--json', ...place]);
    expect(run.code).toBe(1);
    expect(lines(run)).toMatchObject([{ difference: 'not_in_ledger', nonce: null, chain: '15000' }]);
  });
});
