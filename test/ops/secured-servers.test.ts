import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../bundle.ts';
import { runCli } from '../cli/run-cli.ts';
import { NatsServer, natsObstacle } from '../feed/nats-server.ts';
import { serverObstacle, startServer } from '../history/clickhouse-server.ts';
import { PostgresServer, postgresObstacle } from '../pay/postgres-server.ts';
import { type Authority, makeAuthority, opensslObstacle } from './authority.ts';

const PROGRAM = new URL('connect.ts', import.meta.url);
const ACCOUNTS = readFileSync(new URL('../../ops/nats/accounts.conf', import.meta.url), 'utf8');

/** A server that speaks TLS with the authority's certificate. */
interface Secured {
  /** Its address, without TLS insisted on, for clients with the password. */
  readonly url: (password: 'right' | 'wrong') => string;
  readonly stop: () => Promise<unknown>;
}

interface Kind {
  readonly name: 'feed' | 'ledger' | 'history';
  readonly obstacle: string | undefined;
  readonly start: (authority: Authority) => Promise<Secured>;
  /** The messages for an unknown authority, and for a wrong password. */
  readonly untrusted: RegExp;
  readonly wrong: RegExp;
}

/** By its name: Node.js holds the certificate of a server whose address is a number against "localhost". */
const withPassword = (url: string, password: 'right' | 'wrong'): string => {
  const changed = new URL(url);
  changed.hostname = 'localhost';
  if (password === 'wrong') changed.password = 'guessed';
  return changed.href;
};

const feed: Kind = {
  name: 'feed',
  obstacle: natsObstacle(),
  async start({ certificate, key }) {
    const tls = `tls { cert_file: "${certificate}", key_file: "${key}" }\n`;
    const server = await NatsServer.start(tls + ACCOUNTS);
    const url = server.url('seller').replace('nats:', 'tls:');
    return { url: (password) => withPassword(url, password), stop: () => server.stop() };
  },
  untrusted: /certificate/i,
  wrong: /authorization/i,
};

const ledger: Kind = {
  name: 'ledger',
  obstacle: postgresObstacle(),
  async start({ certificate, key }) {
    const settings = ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
    const server = await PostgresServer.start({ settings });
    const url = `${await server.database('secured')}?sslmode=verify-full`;
    return { url: (password) => withPassword(url, password), stop: () => server.stop() };
  },
  untrusted: /certificate/i,
  wrong: /password authentication failed/i,
};

/** Its TLS is that of a process before it, as a load balancer has it: the launcher of the tests has none. */
const history: Kind = {
  name: 'history',
  obstacle: serverObstacle(),
  async start({ certificate, key }) {
    const server = await startServer();
    const port = Number(new URL(server.url).port);
    const front = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
      const behind = connect(port, '127.0.0.1');
      for (const one of [socket, behind]) one.on('error', () => {});
      socket.pipe(behind).pipe(socket);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = `https://default:@127.0.0.1:${(front.address() as AddressInfo).port}`;
    const stop = async (): Promise<void> => {
      front.close();
      await server.remove();
    };
    return { url: (password) => withPassword(url, password), stop };
  },
  untrusted: /certificate/i,
  wrong: /authentication failed|password is incorrect/i,
};

/** The message of a process that trusts this authority beside those of the system. */
async function said(kind: Kind, url: string, trusted?: Authority): Promise<string> {
  const env = { ...process.env, ...(trusted !== undefined && { NODE_EXTRA_CA_CERTS: trusted.authority }) };
  const args = [await bundle(PROGRAM), kind.name, url];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

describe.skipIf(ledger.obstacle !== undefined)(`the ledger (${ledger.obstacle ?? 'on loopback'})`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.database('money');
    const roles = ['seller', 'collector', 'recorder'];
    const login = roles.map((role) => `CREATE ROLE ${role} LOGIN PASSWORD 'own'`);
    await server.query('money', login.join(';'));
    const named = ['--role', 'seller', '--collector', 'collector', '--recorder', 'recorder'];
    await server.query(
      'money',
      (await runCli(['ledger', 'schema', ...named])).stdout.replace(/^\\set .*\n/, ''),
    );
  });
  afterAll(() => server.stop());

  /** The server's answer to a role for each statement; undefined = it may. */
  const answers = async (role: string, statements: readonly string[]): Promise<readonly unknown[]> => {
    const address = new URL(server.url('money', role));
    address.password = 'own';
    const client = new pg.Client(address.href);
    await client.connect();
    const said: unknown[] = [];
    for (const sql of statements)
      said.push(
        await client.query(sql).then(
          () => undefined,
          ({ message }: Error) => message.replace(/ for .*/, ''),
        ),
      );
    await client.end();
    return said;
  };
  const payments = ['payments', 'held_answers', 'receipt_leaves'].map(
    (table) => `SELECT * FROM perpmeter.${table}`,
  );
  const identities = ['SELECT * FROM perpmeter.identity_ranges', 'SELECT * FROM perpmeter.identity_head'];
  const decision = 'UPDATE perpmeter.identity_head SET revision = revision';
  const DENIED = 'permission denied';

  it.each([
    ['seller', undefined, undefined, DENIED],
    ['collector', DENIED, undefined, undefined],
    ['recorder', DENIED, undefined, DENIED],
  ])('lets a %s do what it needs and no more', async (role, paid, known, decided) => {
    expect(await answers(role, payments)).toEqual([paid, paid, paid]);
    expect(await answers(role, identities)).toEqual([known, known]);
    expect(await answers(role, [decision])).toEqual([decided]);
  });
});

const noCertificates = opensslObstacle();

describe.each([feed, ledger, history])('the server of the $name with TLS', (kind) => {
  const obstacle = kind.obstacle ?? noCertificates;
  describe.skipIf(obstacle !== undefined)(obstacle ?? 'on loopback', () => {
    let own: Authority;
    let stranger: Authority;
    let server: Secured;
    beforeAll(async () => {
      own = makeAuthority(kind.name === 'ledger' && process.getuid?.() === 0 ? 'postgres' : undefined);
      stranger = makeAuthority();
      server = await kind.start(own);
    });
    afterAll(async () => {
      await server.stop();
      own.remove();
      stranger.remove();
    });

    it('is connected to where its authority is known', async () => {
      expect(await said(kind, server.url('right'), own)).toBe('connected');
    });

    it('is not where its authority is not known, or another is', async () => {
      const url = server.url('right');
      for (const answer of await Promise.all([said(kind, url), said(kind, url, stranger)]))
        expect(answer).toMatch(kind.untrusted);
    });

    it('says that a password is wrong, and does not repeat it', async () => {
      const answer = await said(kind, server.url('wrong'), own);
      expect(answer).toMatch(kind.wrong);
      expect(answer).not.toContain('guessed');
    });
  });
});
