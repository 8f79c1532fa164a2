import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createExampleApi } from '../api/example-api.ts';
import { rowsAtRate } from '../api/example-market.ts';
import { type StreamService, startStreamService } from '../paid-stream/stream-service.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { watchedExample } from '../web/watched-example.ts';
import { PACKAGE, pythonCommand, pythonObstacle } from './python.ts';

const KEY = `0x${'17'.repeat(32)}` as const;
const CHANNELS = {
  authorizerKey: KEY,
  receiverAuthorizer: privateKeyToAccount(KEY).address,
  withdrawDelay: 86_400,
  depositCalls: 100,
};

const folder = mkdtempSync(join(tmpdir(), 'python-streams-'));
const keyFile = join(folder, 'key');
let sale: Sale;
let service: StreamService;

/** The service behind a relay whose connections may be cut. */
async function startRelay(target: string): Promise<{ readonly url: string; readonly cut: () => void }> {
  const open = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server: Server = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    open.add(socket);
    for (const side of [socket, behind]) side.on('error', () => {});
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

type Line = { readonly event: string; readonly id: string } & Readonly<Record<string, unknown>>;

/** A program that is ended with the test, with what it has written. */
function spawnPython(args: readonly string[]) {
  const child = spawn(pythonCommand, args, {
    env: { PATH: process.env.PATH, PYTHONPATH: `${PACKAGE}/src`, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  return { child, said: () => text };
}

/** `python -m perpmeter follow`, with the lines that it has written. */
function followed(url: string, maxUsd: string, more: readonly string[] = []) {
  const selection = 'topics=funding&symbol=BTC&venues=binance,okx';
  const args = ['follow', selection, '--max-usd', maxUsd, ...more];
  const { child, said } = spawnPython(['-m', 'perpmeter', ...args, '--url', url, '--key-file', keyFile]);
  const lines = (): readonly Line[] =>
    said()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const ended = once(child, 'close');
  return { lines, ended, said, names: () => lines().map(({ event }) => event) };
}

describe.skipIf(pythonObstacle !== undefined)(`streams in Python (${pythonObstacle ?? 'followed'})`, () => {
  beforeAll(async () => {
    sale = await openSale({ channels: CHANNELS });
    service = await startStreamService(sale, 'remote');
    writeFileSync(keyFile, sale.chain.buyer.privateKey, { mode: 0o600 });
  });
  afterAll(async () => {
    await service.stop();
    await sale.stop();
    rmSync(folder, { recursive: true });
  });

  it('a broken connection: goes on behind its last event, no row lost', async () => {
    service.setRate(0.001);
    const relay = await startRelay(service.url);
    const { lines, names } = followed(relay.url, '0.05');
    await until(() => expect(names()).toEqual(['snapshot']));
    relay.cut();
    service.setRate(0.004);
    service.turn();
    await until(() => expect(names()[1]).toMatch(/change|conflated/));
    expect(lines().map(({ id }) => id.split('-').at(-1))).toEqual(['1', '2']);
    expect(JSON.stringify(lines()[1])).toContain('0.004');
  });

  it('due: ten minutes more are bought, once, and it goes on', async () => {
    const before = await sale.earned();
    const { names } = followed(service.url, '0.02');
    await until(() => expect(names()).toEqual(['snapshot']));
    service.turn(9 * 60 + 50);
    await until(async () => expect((await sale.earned()) - before).toBe(20_000n));
    service.turn(60);
    expect(names()).not.toContain('paused');
  });

  it('a payment may cost less than ten minutes: bought by the minute', async () => {
    const { names, ended, said } = followed(service.url, '0.001', ['--max', '0.005']);
    await until(() => expect(names()).toEqual(['snapshot']));
    service.turn(50);
    await until(() => expect(names()).toContain('due'));
    service.turn(20);
    expect(await ended).toEqual([0, null]);
    expect(said()).toMatch(/^spent 0\.001 USD$/m);
  });

  it('a channel is open: each minute is paid by a voucher', async () => {
    const program = `
import sys
from perpmeter import *
wallet = Wallet(PrivateKey.from_file(sys.argv[2]), Caps("0.05", "1"), store=MemoryStore(), channels=Channels(from_call=1))
client = Client(sys.argv[1], wallet)
client.request("/v1/funding/current?symbol=BTC")
following = client.follow(topics=["funding"], symbol=["BTC"], venues=["binance", "okx"], max_usd="0.003")
for event in following:
    print(event.event, client.channels()[0].spent_usd, flush=True)
print("over", following.spent_usd())`;
    const { child, said } = spawnPython(['-c', program, service.url, keyFile]);
    const ended = once(child, 'close');
    await until(() => expect(said()).toBe('snapshot 0.002\n'));
    for (const spent of ['0.003', '0.004']) {
      service.turn(55);
      await until(() => expect(said()).toContain(`due ${spent}\n`));
    }
    service.turn(60);
    await until(() => expect(said().match(/due 0\.004/g)).toHaveLength(2));
    service.turn(60);
    expect(await ended).toEqual([0, null]);
    expect(said()).toMatch(/over 0\.003\n$/);
  });

  it('a watch: bought, told of its firing, and read by its secret', async () => {
    const watched = await watchedExample();
    const selling = { paywall: sale.payments.paywall, payments: sale.info };
    const given = createExampleApi(selling);
    const example = createExampleApi({
      ...selling,
      market: given.market,
      clock: given.clock,
      ...watched.over(given),
    });
    const program = `
import sys
from perpmeter import *
client = Client(sys.argv[1], Wallet(PrivateKey.from_file(sys.argv[2]), Caps("0.05", "1")))
bought = client.watch_day(kind="funding", ticker="BTC", venue="binance", above=0.001).data
print("bought", flush=True)
events = client.events(f"/v1/watches/{bought['id']}", secret=bought["secret"])
event = next(events)
events.close()
print(event.event, event.data["values"]["rate_8h"], flush=True)
print(client.watch(id=bought["id"], secret=bought["secret"]).data["phase"])`;
    const { child, said } = spawnPython(['-c', program, await example.start(), keyFile]);
    const ended = once(child, 'close');
    await until(() => expect(said()).toContain('bought'));
    watched.engine().turn();
    given.market.replace(rowsAtRate(0.002));
    given.clock.advance(61_000);
    watched.engine().turn();
    expect(await ended).toEqual([0, null]);
    expect(said()).toBe('bought\nfired 0.002\nfired\n');
    await example.api.close();
    await watched.close();
  });

  it('a cap that is reached: read to the end of what is paid, then over', async () => {
    const { names, ended, said } = followed(service.url, '0.01');
    await until(() => expect(names()).toEqual(['snapshot']));
    service.turn(9 * 60 + 50);
    await until(() => expect(names()).toContain('due'));
    service.turn(60);
    expect(await ended).toEqual([0, null]);
    expect(said()).toMatch(/^spent 0\.01 USD$/m);
  });
});
