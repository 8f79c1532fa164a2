import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/cli/free-port.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { simBases } from '../../src/sim/bases.ts';
import { createWorld } from '../../src/sim/create-world.ts';
import { startSimServer } from '../../src/sim/server.ts';
import { SIM_VENUES } from '../../src/sim/venues/index.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { serverObstacle, startServer } from '../history/clickhouse-server.ts';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';
import { sellerAt } from '../pay/routes.ts';
import { encodeHeader, signAuthorization, v2Payload } from '../pay/wallet.ts';
import { FaultyFacilitator } from '../soak/pay-facilitator.ts';
import { openWallets } from '../soak/pay-wallets.ts';
import { Random } from '../soak/random.ts';
import { until } from '../until.ts';
import { runCli, START, scratchFolder, startCli } from './run-cli.ts';

/** It waits for the minute of a sample, and starts ten processes one after the other. */
const LIMIT_MS = 600_000;
const TRADED = ['bitget', 'bybit', 'okx'];
const BASE_URL = 'http://127.0.0.1:8402';
/** Of a payment whose answer has arrived. */
const USED = { status: 402, code: 'authorization_used' } as const;
const TARGET = '/v1/perp/basis?ticker=BTC';
const obstacle = postgresObstacle() ?? serverObstacle();

/** The commands that the page tells operators, as they stand there. */
function commandsOfPage(): string {
  const page = readFileSync(fileURLToPath(new URL('../../docs/scale.md', import.meta.url)), 'utf8');
  const section = page.split('### From one machine to several')[1] ?? '';
  const [, commands] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  if (commands === undefined) throw new Error('the page has no commands');
  return commands;
}

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
    const lines = (output: string): Record<string, unknown>[] =>
      output
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    const must = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const run = await runCli(args, { env });
      expect(run, run.stderr).toMatchObject({ code: 0 });
      return run.stdout;
    };
    /** All that is stored of payments, identities and history, as the commands tell it. */
    async function allOf(dataDir: string, env: Readonly<Record<string, string>> = {}) {
      const at = ['--data-dir', dataDir];
      const ledger = await must(['ledger', 'list', '--json', '--limit', '1000', ...at], env);
      const identities = lines(await must(['identity', 'list', '--all', '--json', ...at], env));
      const log = lines(await must(['identity', 'log', '--json', ...at], env));
      const check = await must(['history', 'check', '--json', ...at], env);
      return { payments: lines(ledger), identities, log, days: JSON.parse(check).days as unknown[] };
    }

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

    it(
      'loses no payment, no identity and no sample by the commands of the page',
      async () => {
        const [chain, postgres, clickhouse] = await Promise.all([
          startSandboxChain({ blockTimeSeconds: 0.2 }),
          PostgresServer.start(),
          startServer(),
        ]);
        ends.push(
          () => chain.stop(),
          () => postgres.stop(),
          () => clickhouse.remove(),
        );
        const facilitator = await FaultyFacilitator.start(chain, new Random(1));
        facilitator.calm();
        ends.push(() => facilitator.stop());
        const env = {
          ...{ PERPMETER_DATA: 'simulated', PERPMETER_VENUE_BASES: await venues() },
          ...{ PAYMENTS_MODE: 'remote', PAY_TO_ADDRESS: chain.payee.address, RPC_URL: chain.rpcUrl },
          ...{ BASE_URL, FACILITATOR_URL: facilitator.url, SECOND_READER_MINUTES: '0', BACKFILL_DAYS: '0' },
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
        await until(async () => expect(await health(one.url)).toMatchObject({ store: { ok: true } }), 250);
        await until(async () => {
          const { store } = (await health(one.url)) as { store: { lag_seconds: number | null } };
          expect(store.lag_seconds).not.toBeNull();
        }, 250);
        const pin = ['identity', 'pin', 'okx', 'ETH-USDT-SWAP', 'crypto:ETHX', '--reason', 'why'];
        await must([...pin, '--data-dir', dataDir]);
        await one.stop();
        const before = await allOf(dataDir);
        expect(before.payments.map(({ state }) => state)).toHaveLength(3);
        expect(before.days.length).toBeGreaterThan(0);

        await postgres.query('postgres', 'CREATE ROLE seller LOGIN');
        await postgres.query('postgres', "ALTER ROLE seller PASSWORD 'test-only-secret'");
        const script = commandsOfPage();
        const moved = await runScript(script, {
          ...{ DATA_DIR: dataDir, OWNER_URL: await postgres.database('many') },
          ...{ CLICKHOUSE_URL: clickhouse.url, BACKUP: join(scratchFolder(), 'backup') },
        });
        expect(moved, moved.said).toMatchObject({ code: 0 });

        // The folder sells no more; the servers have what it had.
        const refused = await runCli(['serve', '--port', '0', '--data-dir', dataDir, '--history', 'off'], {
          env,
        });
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('set LEDGER_URL') });
        const shared = { LEDGER_URL: postgres.url('many', 'seller'), CLICKHOUSE_URL: clickhouse.url };
        expect(await allOf(dataDir, { ...shared, LEDGER_URL: postgres.url('many') })).toEqual(before);

        const further = scratchFolder();
        copyFileSync(join(dataDir, 'receipt-keys.json'), join(further, 'receipt-keys.json'));
        const hosts = [
          await startHost(dataDir, { ...env, ...shared }),
          await startHost(further, { ...env, ...shared }, '--history', 'off'),
        ];
        for (const host of hosts) {
          for (const present of sales) expect(codeOf(await present(host))).toEqual(USED);
          const shares = async () =>
            expect(await health(host.url)).toMatchObject({
              identities: { kind: 'postgres', ok: true, waiting: 0 },
              payments: { ledger: 'postgres', ledger_ok: true },
            });
          await until(shares, 100);
        }
        // A further payment is one to both, and who each contract is stays what it was.
        const last = await pay();
        const [first, second] = hosts;
        if (first === undefined || second === undefined) throw new Error('no hosts');
        expect(await last(first)).toMatchObject({ status: 200 });
        await until(async () => expect(codeOf(await last(second))).toEqual(USED), 250);
        for (const host of hosts) await host.stop();
        const after = await allOf(dataDir, { ...shared, LEDGER_URL: postgres.url('many') });
        expect(after.payments).toHaveLength(4);
        expect(after.payments).toEqual(expect.arrayContaining(before.payments));
        const fixed = ({ basis: _, valid_to: __, ...identity }: Record<string, unknown>) => identity;
        expect(after.identities.map(fixed)).toEqual(expect.arrayContaining(before.identities.map(fixed)));
        expect(after.log).toEqual(before.log);
        expect(sold.map(({ status }) => status)).toEqual([200, 200, 200]);
      },
      LIMIT_MS,
    );

    /** What became of a payment: offers beside it change from minute to minute. */
    const codeOf = (answer: { status: number; body: string } | undefined) => ({
      status: answer?.status,
      code: JSON.parse(answer?.body ?? '{}').code,
    });

    function answered<T extends { readonly status: number }>(answer: T): T {
      expect(answer.status).toBe(200);
      return answer;
    }

    async function runScript(commands: string, env: Readonly<Record<string, string>>) {
      const folder = scratchFolder();
      const program = join(folder, 'perpmeter');
      writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${START}" "$@"\n`);
      chmodSync(program, 0o755);
      ends.push(() => rmSync(folder, { recursive: true, force: true }));
      const path = `${folder}:${process.env.PATH}`;
      const shell = spawn('sh', ['-c', commands], { cwd: folder, env: { ...env, PATH: path, HOME: folder } });
      const [out, err, [code]] = await Promise.all([
        text(shell.stdout),
        text(shell.stderr),
        once(shell, 'exit'),
      ]);
      return { code, said: out + err };
    }
  },
);
