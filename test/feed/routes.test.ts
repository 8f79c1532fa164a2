import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/host/process/free-port.ts';
import { type Authority, makeAuthority, opensslObstacle } from '../ops/authority.ts';
import { until } from '../until.ts';
import { NatsServer, natsObstacle } from './nats-server.ts';

const HOST = '127.0.0.1';
const readBlock = (file: string): string => {
  const text = readFileSync(new URL(`../../ops/nats/${file}`, import.meta.url), 'utf8');
  return /^cluster \{\n[\s\S]*?\n\}/m.exec(text)?.[0] ?? '';
};
const obstacle = natsObstacle();

/** A server of the feed's cluster as `ops/nats/cluster.conf` has it, but for its addresses. */
interface Member {
  readonly id: string;
  /** The text of its log. */
  readonly said: () => string;
  /** Ids of the servers that it is connected to. */
  readonly routes: () => Promise<readonly string[]>;
}

/** The part of a server's configuration that its environment would give. */
type Given = Readonly<Record<string, string>>;

const kinds = [
  { title: 'servers of the feed', file: 'cluster.conf', host: HOST, obstacle },
  { title: 'with TLS', file: 'tls.conf', host: 'localhost', obstacle: obstacle ?? opensslObstacle() },
];

describe.each(kinds)('$title', ({ file, host, obstacle: missing }) => {
  const folder = mkdtempSync(join(tmpdir(), 'perpmeter-routes-'));
  const servers: NatsServer[] = [];
  let authority: Authority | undefined;
  let certificates: Given = {};
  let first: Member;
  /** Of the first: where the others ask to be let in. */
  let door: number | undefined;

  /** @param login what the address of the first has before its host */
  const start = async (name: string, password: string, login: string, block = file): Promise<Member> => {
    const port = await freePort(HOST);
    const monitor = await freePort(HOST);
    door ??= port;
    const listen = `listen: "${HOST}:${port}", no_advertise: true`;
    const own = readBlock(block).replace('port: 6222', listen);
    const given = block === file ? certificates : {};
    const set = Object.entries(given).map(([key, value]) => `${key}: "${value}"\n`);
    const log = join(folder, name);
    servers.push(
      await NatsServer.start(
        `${set.join('')}ROUTE_PASSWORD: ${password}\nROUTES: [nats://${login}${host}:${door}]\n` +
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
    if (missing !== undefined) return;
    if (file === 'tls.conf') {
      authority = makeAuthority();
      const { certificate: TLS_CERTIFICATE, key: TLS_KEY, authority: TLS_AUTHORITY } = authority;
      certificates = { TLS_CERTIFICATE, TLS_KEY, TLS_AUTHORITY };
    }
    first = await start('first', 'known', 'route:known@');
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    authority?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = it.skipIf(missing !== undefined);

  run(`let one in that has the password of routes (${missing ?? 'real ones'})`, async () => {
    const second = await start('second', 'known', 'route:known@');
    await until(async () => expect(await first.routes()).toContain(second.id));
    await until(async () => expect(await second.routes()).toContain(first.id));
  });

  run.each([
    ['nameless', 'known', ''],
    ['guessing', 'guessed', 'route:guessed@'],
  ])('turn away one that has none, or another: %s', async (name, password, login) => {
    const stranger = await start(name, password, login);
    await until(() => expect(stranger.said()).toMatch(/authorization violation/i));
    expect(await first.routes()).not.toContain(stranger.id);
    expect(await stranger.routes()).toEqual([]);
  });

  if (file !== 'tls.conf') return;
  run('turn away one that has the password and no certificate', async () => {
    const stranger = await start('plain', 'known', 'route:known@', 'cluster.conf');
    await until(() => expect(first.said()).toMatch(/tls route handshake error/i));
    expect(await first.routes()).not.toContain(stranger.id);
    expect(await stranger.routes()).toEqual([]);
  });
});
