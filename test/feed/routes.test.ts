import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/cli/free-port.ts';
import { until } from '../until.ts';
import { NatsServer, natsObstacle } from './nats-server.ts';

const HOST = '127.0.0.1';
const CLUSTER = readFileSync(new URL('../../ops/nats/cluster.conf', import.meta.url), 'utf8');
const obstacle = natsObstacle();

/** A server of the feed's cluster as `ops/nats/cluster.conf` has it, but for its addresses. */
interface Member {
  readonly id: string;
  /** What it says in its log. */
  readonly said: () => string;
  /** Ids of the servers that it is connected to. */
  readonly routes: () => Promise<readonly string[]>;
}

describe.skipIf(obstacle !== undefined)(`servers of the feed (${obstacle ?? 'real ones'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-routes-'));
  const servers: NatsServer[] = [];
  let first: Member;
  /** Of the first: where the others ask to be let in. */
  let door: number | undefined;

  /** @param login what the address of the first has before its host */
  const start = async (name: string, password: string, login: string): Promise<Member> => {
    const [port, monitor] = [await freePort(HOST), await freePort(HOST)];
    door ??= port;
    const block = /^cluster \{\n[\s\S]*?\n\}/m.exec(CLUSTER)?.[0] ?? '';
    const own = block.replace('port: 6222', `listen: "${HOST}:${port}", no_advertise: true`);
    const log = join(folder, name);
    servers.push(
      await NatsServer.start(
        `ROUTE_PASSWORD: ${password}\nROUTES: [nats://${login}${HOST}:${door}]\n` +
          `server_name: ${name}\nlog_file: "${log}"\nhttp: "${HOST}:${monitor}"\n${own}\n`,
      ),
    );
    const ask = async (page: string): Promise<unknown> =>
      (await fetch(`http://${HOST}:${monitor}/${page}`)).json();
    const { server_id: id } = (await ask('varz')) as { readonly server_id: string };
    return {
      id,
      said: () => readFileSync(log, 'utf8'),
      async routes() {
        const found = (await ask('routez')) as { readonly routes: readonly { readonly remote_id: string }[] };
        return found.routes.map(({ remote_id }) => remote_id);
      },
    };
  };

  beforeAll(async () => {
    first = await start('first', 'known', 'route:known@');
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('let one in that has the password of routes', async () => {
    const second = await start('second', 'known', 'route:known@');
    await until(async () => expect(await first.routes()).toContain(second.id));
    await until(async () => expect(await second.routes()).toContain(first.id));
  });

  it.each([
    ['nameless', 'known', ''],
    ['guessing', 'guessed', 'route:guessed@'],
  ])('turn away one that has none, or another: %s', async (name, password, login) => {
    const stranger = await start(name, password, login);
    await until(() => expect(stranger.said()).toMatch(/authorization violation/i));
    expect(await first.routes()).not.toContain(stranger.id);
    expect(await stranger.routes()).toEqual([]);
  });
});
