import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simBases } from '@perpmeter/sim/bases';
import { createWorld } from '@perpmeter/sim/create-world';
import { startSimServer } from '@perpmeter/sim/server';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { NatsServer, natsObstacle } from '../feed/nats-server.ts';
import { serverObstacle, startServer } from '../history/clickhouse-server.ts';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';
import { sellerAt } from '../pay/routes.ts';
import { encodeHeader, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { FaultyFacilitator } from '../soak/pay-facilitator.ts';
import { openWallets } from '../soak/pay-wallets.ts';
import { Random } from '../soak/random.ts';
import { until } from '../until.ts';
import { blocksOfPage, runCommands, settingsIn } from './one-to-many-page.ts';
import { allOf, must, sampledAt } from './one-to-many-stores.ts';
import { runCli, scratchFolder, startCli } from './run-cli.ts';

const TRADED = ['bitget', 'bybit', 'okx'];
const BASE_URL = 'http://127.0.0.1:8402';
/** Of a payment whose answer has arrived. */
const USED = { status: 402, code: 'authorization_used' } as const;
const TARGET = '/v1/perp/basis?ticker=BTC';
const ACCOUNTS = readFileSync(new URL('../../ops/nats/accounts.conf', import.meta.url), 'utf8');
const obstacle = postgresObstacle() ?? serverObstacle() ?? natsObstacle();

describe.skipIf(obstacle !== undefined)(
  `from one machine to several (${obstacle ?? 'on real servers'})`,
  () => {
    const ends: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    async function venues(): Promise<string> {
      const simulated = SIM_VENUES.filter(({ id }) => TRADED.includes(id));
      const sim = await startSimServer({ port: 0, world: createWorld(5), venues: simulated, tickMs: 250 });
      ends.push(() => sim.close());
      const adapters = VENUES.filter(({ id }) => TRADED.includes(id));
      return JSON.stringify(
        Object.fromEntries(adapters.map(({ id, bases }) => [id, simBases(bases, sim.url, id)])),
      );
    }

    interface Host {
      readonly url: string;
      readonly service: ChildProcess;
      stop(): Promise<unknown>;
    }

    async function startHost(
      dataDir: string,
      env: Readonly<Record<string, string>>,
      ...args: readonly string[]
    ): Promise<Host> {
      const port = await freePort('127.0.0.1');
      const where = ['serve', '--port', `${port}`, '--data-dir', dataDir, '--venues', TRADED.join(',')];
      const service = startCli([...where, '--log-level', 'error', ...args], scratchFolder(), env);
      service.stdout?.resume();
      let said = '';
      service.stderr?.on('data', (chunk) => {
        said += String(chunk);
      });
      ends.push(() => service.kill('SIGKILL'));
      const url = `http://127.0.0.1:${port}`;
      await until(async () => {
        if (service.exitCode !== null) throw new Error(said);
        expect(await health(url)).toMatchObject({ venues: { live: TRADED.length } });
      }, 100);
      const stop = (): Promise<unknown> => {
        const gone = once(service, 'exit');
        service.kill('SIGTERM');
        return gone;
      };
      return { url, service, stop };
    }

    const health = async (url: string): Promise<unknown> => (await fetch(`${url}/v1/health`)).json();

    async function payers(chain: SandboxChain) {
      const [buyer] = await openWallets(chain);
      if (buyer === undefined) throw new Error('no buyer');
      return async () => {
        const seller = sellerAt(BASE_URL, chain.payee.address);
        const signed = await signAuthorization(buyer, seller, { value: '5000' });
        const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(seller, signed)) };
        return async ({ url }: Host) => {
          const response = await fetch(url + TARGET, { headers });
          return { status: response.status, body: await response.text() };
        };
      };
    }

    /** Resolves when one more minute is stored; its time. */
    async function untilSampled(url: string): Promise<number> {
      const last = async (): Promise<number> => (await sampledAt(url)).minutes.at(-1)?.at ?? 0;
      const before = await last();
      await until(async () => expect(await last()).toBeGreaterThan(before), 1000);
      return last();
    }

    it('the commands of the page: lose no payment, identity or sample', async () => {
      const [chain, postgres, clickhouse, nats] = await Promise.all([
        startSandboxChain({ blockTimeSeconds: 0.2 }),
        PostgresServer.start(),
        startServer(),
        NatsServer.start(ACCOUNTS),
      ]);
      ends.push(
        () => chain.stop(),
        () => postgres.stop(),
        () => clickhouse.remove(),
        () => nats.stop(),
      );
      const facilitator = await FaultyFacilitator.start(chain, new Random(1));
      facilitator.calm();
      ends.push(() => facilitator.stop());
      const env = {
        PERPMETER_DATA: 'simulated',
        PERPMETER_VENUE_BASES: await venues(),
        PAYMENTS_MODE: 'remote',
        PAY_TO_ADDRESS: chain.payee.address,
        RPC_URL: chain.rpcUrl,
        BASE_URL,
        FACILITATOR_URL: facilitator.url,
        SECOND_READER_MINUTES: '0',
        BACKFILL_DAYS: '0',
        BOOKS_PER_VENUE: '4',
      };
      const dataDir = scratchFolder();
      const pay = await payers(chain);

      const one = await startHost(dataDir, env);
      const sales = [await pay(), await pay(), await pay()];
      const sold = [];
      for (const present of sales) sold.push(await until(async () => answered(await present(one))));
      for (const present of sales) {
        const used = async () => expect(codeOf(await present(one))).toMatchObject(USED);
        await until(used, 500);
      }
      await until(async () => {
        const { store } = (await health(one.url)) as { store: { lag_seconds: number | null } };
        expect(store).toMatchObject({ ok: true, part: 'writer', engine: 'embedded' });
        expect(store.lag_seconds).not.toBeNull();
      }, 250);
      const pin = ['identity', 'pin', 'okx', 'ETH-USDT-SWAP', 'crypto:ETHX', '--reason', 'why'];
      await must([...pin, '--data-dir', dataDir]);
      await one.stop();
      const before = await allOf(dataDir);
      expect(before.payments.map(({ state }) => state)).toHaveLength(3);
      expect(before.days.length).toBeGreaterThan(0);

      for (const role of ['seller', 'collector'])
        await postgres.query('postgres', `CREATE ROLE ${role} LOGIN PASSWORD 'test-only-secret'`);
      const [move, apart, schema, roles] = blocksOfPage();
      const OWNER_URL = await postgres.database('many');
      const moved = await runCommands(move, {
        DATA_DIR: dataDir,
        OWNER_URL,
        CLICKHOUSE_URL: clickhouse.url,
        BACKUP: join(scratchFolder(), 'backup'),
      });
      expect(moved, moved.said).toMatchObject({ code: 0 });

      // The folder sells no more; the servers have what it had.
      const refused = await runCli(['serve', '--port', '0', '--data-dir', dataDir, '--history', 'off'], {
        env,
      });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('set LEDGER_URL') });
      const asOwner = { LEDGER_URL: OWNER_URL, CLICKHOUSE_URL: clickhouse.url };
      expect(await allOf(dataDir, asOwner)).toEqual(before);
      const restored = await sampledAt(clickhouse.url);

      const KEYS = join(scratchFolder(), 'receipt-keys.json');
      copyFileSync(join(dataDir, 'receipt-keys.json'), KEYS);
      const values = {
        KEYS,
        CLICKHOUSE_URL: clickhouse.url,
        SELLER_URL: postgres.url('many', 'seller'),
        COLLECTOR_URL: postgres.url('many', 'collector'),
        NATS_COLLECTOR: nats.url('collector'),
        NATS_RECORDER: nats.url('recorder'),
        NATS_SELLER: nats.url('seller'),
      };
      const [asFirst, asFurther] = settingsIn(apart, values);
      const furtherDir = scratchFolder();
      const first = await startHost(dataDir, { ...env, ...asFirst });
      const further = await startHost(furtherDir, { ...env, ...asFurther });
      /** Checks each selling host's account of past sales, and of present ones. */
      const sellTogether = async (...hosts: readonly [Host, Host]): Promise<void> => {
        for (const host of hosts) {
          for (const present of sales) expect(codeOf(await present(host))).toEqual(USED);
          const shares = async () =>
            expect(await health(host.url)).toMatchObject({
              identities: { kind: 'postgres', ok: true, waiting: 0 },
              payments: { ledger: 'postgres', ledger_ok: true },
            });
          await until(shares, 100);
        }
        const next = await pay();
        expect(await next(hosts[0])).toMatchObject({ status: 200 });
        await until(async () => expect(codeOf(await next(hosts[1]))).toEqual(USED), 250);
        sales.push(next);
      };
      await sellTogether(first, further);
      const stores = async (host: Host) => ((await health(host.url)) as { store: unknown }).store;
      expect(await stores(first)).toMatchObject({ part: 'writer', engine: 'server' });
      expect(await stores(further)).toMatchObject({ part: 'reader', engine: 'server' });

      // Each process of a role of its own, in the order of the page.
      const granted = await runCommands(schema, { OWNER_URL });
      expect(granted, granted.said).toMatchObject({ code: 0 });
      const [asCollector, asSeller, asRecorder] = settingsIn(roles, values);
      const collectors = [
        await startHost(scratchFolder(), { ...env, ...asCollector }),
        await startHost(scratchFolder(), { ...env, ...asCollector }),
      ];
      await further.stop();
      const sellers = [await startHost(furtherDir, { ...env, ...asSeller })] as Host[];
      await sellTogether(first, sellers[0] as Host);
      await untilSampled(clickhouse.url);
      await first.stop();
      const recorders = [
        await startHost(scratchFolder(), { ...env, ...asRecorder }),
        await startHost(scratchFolder(), { ...env, ...asRecorder }),
      ];
      sellers.push(await startHost(dataDir, { ...env, ...asSeller }));
      await sellTogether(...(sellers as [Host, Host]));
      await sellTogether(...([...sellers].reverse() as [Host, Host]));
      await untilSampled(clickhouse.url);
      const said = await Promise.all([...recorders, ...sellers, ...collectors].map(stores));
      const parts = said.map((store) => (store as { part: string | null }).part);
      expect([...parts.slice(0, 2)].sort()).toEqual(['standby', 'writer']);
      expect(parts.slice(2)).toEqual(['reader', 'reader', null, null]);
      const feeds = await Promise.all(collectors.map(({ url }) => health(url)));
      const held = feeds.map((feed) => (feed as { feed: { holds: number } }).feed.holds);
      expect(held.reduce((sum, count) => sum + count, 0)).toBe(TRADED.length);

      for (const host of [...sellers, ...recorders, ...collectors]) await host.stop();
      const after = await allOf(dataDir, asOwner);
      expect(after.payments).toHaveLength(sales.length);
      expect(after.payments).toEqual(expect.arrayContaining(before.payments));
      const fixed = ({ basis: _, valid_to: __, ...identity }: Record<string, unknown>) => identity;
      expect(after.identities.map(fixed)).toEqual(expect.arrayContaining(before.identities.map(fixed)));
      expect(after.log).toEqual(before.log);
      expect(sold.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { minutes, lost } = await sampledAt(clickhouse.url);
      expect(minutes.slice(0, restored.minutes.length)).toEqual(restored.minutes);
      expect(minutes.length).toBeGreaterThan(restored.minutes.length + 1);
      expect(lost).toEqual([]);
      expect(minutes.filter(({ rows, contracts }) => rows !== contracts)).toEqual([]);
    });

    /** The outcome of a payment: offers beside it change from minute to minute. */
    const codeOf = (answer: { status: number; body: string } | undefined) => ({
      status: answer?.status,
      code: JSON.parse(answer?.body ?? '{}').code,
    });

    function answered<T extends { readonly status: number }>(answer: T): T {
      expect(answer.status).toBe(200);
      return answer;
    }
  },
);
