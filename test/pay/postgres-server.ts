import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../src/host/process/free-port.ts';
import { CREATE_IDENTITIES, identityGrantsTo } from '../../src/modules/shared-ledger/identities/schema.ts';
import { CREATE_TABLES, grantsTo } from '../../src/modules/shared-ledger/payments/schema.ts';
import { CREATE_SHARED_TABLES, sharedTablesGrantsTo } from '../../src/modules/shared-ledger/tables/schema.ts';
import { wait } from '../../src/runtime/timer.ts';

const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'test-only-secret';
/** A connection that is accepted and never answered must not hold up who asks again. */
const CONNECT_MS = 30_000;
const IS_ROOT = process.getuid?.() === 0;

/** Folder of the newest server that is installed. */
function programs(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** The reason for which no PostgreSQL can be started here; undefined = one can. */
export function postgresObstacle(): string | undefined {
  if (programs() === undefined) return 'postgresql is not installed';
  return process.platform === 'linux' ? undefined : 'a server is only started on Linux';
}

/** The server does not run as root, and ends with this process. */
function asItself(program: string, args: readonly string[]): readonly [string, string[]] {
  const user = IS_ROOT ? ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : [];
  return ['setpriv', [...user, '--pdeathsig', 'QUIT', join(programs() ?? '', program), ...args]];
}

/** An empty folder of the server's user, and a file with the password in it. */
function folderWithin(within: string): { readonly folder: string; readonly secret: string } {
  const folder = mkdtempSync(join(within, 'perpmeter-postgres-'));
  const secret = join(folder, 'secret');
  writeFileSync(secret, PASSWORD, { mode: 0o600 });
  if (IS_ROOT) {
    const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
    for (const path of [folder, secret]) chownSync(path, uid, -1);
  }
  return { folder, secret };
}

/** A server of its own on loopback, in a temporary folder, as a package installs it but for where it listens. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
  }

  /**
   * @param within folder that holds all that it writes
   * @param settings further ones, name=value
   */
  static async start({
    within = tmpdir(),
    settings = [],
  }: {
    readonly within?: string | undefined;
    readonly settings?: readonly string[];
  } = {}): Promise<PostgresServer> {
    const { folder, secret } = folderWithin(within);
    const data = ['-D', join(folder, 'data'), '-U', 'owner'];
    execFileSync(
      ...asItself('initdb', [
        ...data,
        '-A',
        'scram-sha-256',
        `--pwfile=${secret}`,
        '--no-sync',
        '--locale=C',
      ]),
      { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
    );
    const server = new PostgresServer(folder, await freePort('127.0.0.1'), settings);
    await server.begin();
    return server;
  }

  /**
   * A stand-by with all that a primary has so far, which follows it.
   *
   * @param port on which it reaches the primary
   */
  static async standBy(port: number): Promise<PostgresServer> {
    const { folder } = folderWithin(tmpdir());
    const primary = `host=127.0.0.1 port=${port} user=owner password=${PASSWORD}`;
    const args = ['-D', join(folder, 'data'), '-d', primary, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    await promisify(execFile)(...asItself('pg_basebackup', args), { cwd: folder });
    const settings = ['wal_retrieve_retry_interval=100ms'];
    const server = new PostgresServer(folder, await freePort('127.0.0.1'), settings);
    await server.begin();
    return server;
  }

  /** Starts it, also after a kill; resolved when it answers. */
  async begin(): Promise<void> {
    const settings = [
      'shared_buffers=16MB',
      'max_connections=60',
      'log_min_messages=panic',
      ...this.#settings,
    ];
    const args = [
      '-D',
      join(this.#folder, 'data'),
      '-h',
      '127.0.0.1',
      '-k',
      this.#folder,
      '-p',
      `${this.#port}`,
    ];
    this.#process = spawn(
      ...asItself('postgres', [...args, ...settings.flatMap((setting) => ['-c', setting])]),
      { stdio: 'ignore', cwd: this.#folder },
    );
    while (!(await this.#answers())) {
      if (this.#process.exitCode !== null) throw new Error(`postgres ended with ${this.#process.exitCode}`);
      await wait(20);
    }
  }

  /** @param signal QUIT: it stops at once, as in a crash; INT: connections are ended first */
  signal(signal: 'SIGQUIT' | 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    const ended = new Promise<void>((resolve) => this.#process?.once('exit', () => resolve()));
    this.#process?.kill(signal);
    return ended;
  }

  /** As its machine would end: no part of it ends what it has begun. */
  kill(): Promise<void> {
    const pid = this.#process?.pid;
    // From now on it starts no other.
    this.#process?.kill('SIGSTOP');
    const parts = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const part of parts.match(/\d+/g) ?? []) process.kill(Number(part), 'SIGKILL');
    return this.signal('SIGKILL');
  }

  async #answers(): Promise<boolean> {
    try {
      await this.query('postgres', 'SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  async query(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: CONNECT_MS,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  /** An empty database; its address. */
  async database(name: string): Promise<string> {
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  url(database: string, user = 'owner', port = this.#port): string {
    return `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  }

  /** A path beside its data, gone with it. */
  besides(name: string): string {
    return join(this.#folder, name);
  }

  get port(): number {
    return this.#port;
  }

  /** True once its process is gone. */
  get hasEnded(): boolean {
    return (
      this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null
    );
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) await this.signal('SIGQUIT');
    this.remove();
  }

  /** As the last thing of a process: what it started ends with it. */
  remove(): void {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let shared: Promise<PostgresServer> | undefined;

/** A server that all tests of this process share, with a role `seller` that may do nothing yet. */
export function sharedServer(): Promise<PostgresServer> {
  shared ??= PostgresServer.start().then(async (server) => {
    process.once('exit', () => server.remove());
    await server.query('postgres', `CREATE ROLE seller LOGIN PASSWORD '${PASSWORD}'`);
    return server;
  });
  return shared;
}

/** The address of an empty ledger, and a place of identities, for a role that may do what a seller needs, and no more. */
export async function emptyLedger(): Promise<string> {
  const server = await sharedServer();
  await server.query('postgres', 'DROP SCHEMA IF EXISTS perpmeter CASCADE');
  await server.query('postgres', CREATE_TABLES + CREATE_IDENTITIES + CREATE_SHARED_TABLES);
  await server.query(
    'postgres',
    grantsTo('seller') + sharedTablesGrantsTo('seller') + identityGrantsTo('seller', true),
  );
  return server.url('postgres', 'seller');
}
