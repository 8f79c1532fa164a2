import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/host/process/free-port.ts';
import { wait } from '../../src/runtime/timer.ts';

const SOURCE = fileURLToPath(new URL('./clickhouse-server.c', import.meta.url));
const HOST = '127.0.0.1';
const POLL_MS = 50;
/** One that does not end in order is killed, as a service manager does. */
const ENDS_WITHIN_MS = 90_000;
/** A connection that is accepted and never answered must not hold up who asks again. */
const PING_MS = 30_000;
const PACKAGES = fileURLToPath(new URL('../../node_modules/@chdb', import.meta.url));

function engineLibrary(): string | undefined {
  if (!existsSync(PACKAGES)) return undefined;
  return readdirSync(PACKAGES)
    .map((name) => join(PACKAGES, name, 'libchdb.so'))
    .find((path) => existsSync(path));
}

/** The reason for which no server can be started here; undefined = it can. */
export function serverObstacle(): string | undefined {
  if (engineLibrary() === undefined) return 'no library of the embedded engine for this platform';
  if (spawnSync('cc', ['--version']).status !== 0) return 'no C compiler (cc) to build the launcher with';
  return undefined;
}

/** A real ClickHouse server on loopback, a process of its own. */
export interface ClickHouseServer {
  readonly url: string;
  /** Host and port at which other servers reach it. */
  readonly address: string;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Ends it in order. */
  end(): Promise<void>;
  /** Holds it: connections are accepted and nothing is answered. */
  pause(): void;
  /** Lets it go on. */
  resume(): void;
  /** Starts it again on the same data and ports. */
  restart(): Promise<void>;
  /** Loses what it has, while it does not run. */
  forget(): void;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

const STATEMENTS =
  "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('/dev/stdin', 'LineAsString', 's String') SETTINGS max_execution_time = 0 FORMAT Null";

function build(dir: string): string {
  const program = join(dir, 'clickhouse-server');
  execFileSync('cc', ['-O1', '-o', program, SOURCE, '-ldl']);
  return program;
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
}

class Server implements ClickHouseServer {
  readonly url: string;
  readonly address: string;
  readonly #program: string;
  readonly #ports: Ports;
  readonly #dir: string;
  readonly #config: string | undefined;
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(
    program: string,
    dir: string,
    ports: Ports,
    config: string | undefined,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.url = `http://127.0.0.1:${ports.http}`;
    this.address = `127.0.0.1:${ports.tcp}`;
    this.#program = program;
    this.#ports = ports;
    this.#dir = dir;
    this.#config = config;
    this.#env = env;
  }

  async restart(): Promise<void> {
    const { http, tcp } = this.#ports;
    mkdirSync(join(this.#dir, 'data'), { recursive: true });
    const config = this.#config === undefined ? [] : ['--config-file', this.#config];
    const args = ['--path', join(this.#dir, 'data'), '--listen_host', '127.0.0.1'];
    // It lives as long as its standard input: a test that dies takes it along.
    this.#process = spawn(
      this.#program,
      [...args, '--http_port', `${http}`, '--tcp_port', `${tcp}`, ...config, '--query', STATEMENTS],
      { stdio: ['pipe', 'ignore', 'pipe'], env: { ...process.env, ...this.#env, LIBCHDB: engineLibrary() } },
    );
    let said = '';
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
    });
    const child = this.#process;
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`the server ended: ${said}`);
      await wait(POLL_MS);
    }
  }

  async #answers(): Promise<boolean> {
    return fetch(`${this.url}/ping`, { signal: AbortSignal.timeout(PING_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  kill(): Promise<void> {
    return this.#gone((child) => {
      child.kill('SIGKILL');
      child.stdin?.destroy();
    });
  }

  end(): Promise<void> {
    return this.#gone((child) => child.stdin?.end());
  }

  async #gone(ends: (child: ChildProcess) => void): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    ends(child);
    const hangs = setTimeout(() => {
      console.log(`a server of the history did not end within ${ENDS_WITHIN_MS} ms: killed`);
      child.kill('SIGKILL');
    }, ENDS_WITHIN_MS);
    await gone;
    clearTimeout(hangs);
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  forget(): void {
    rmSync(join(this.#dir, 'data'), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** Starts one server, alone. */
export async function startServer(): Promise<ClickHouseServer> {
  const dir = mkdtempSync(join(tmpdir(), 'perpmeter-server-'));
  const server = new Server(
    build(dir),
    dir,
    { http: await freePort(HOST), tcp: await freePort(HOST) },
    undefined,
  );
  await server.restart();
  return server;
}

/** Accounts beside `default`. */
export interface Accounts {
  /** Has all rights; servers ask each other as this one. */
  readonly owner: string;
  readonly password: string;
  /** Text of a file of `users.d`, and the environment that it names. */
  readonly users: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Shards of replicas of which the Distributed tables write every row to each. */
function clusterConfig(
  cluster: string,
  shards: readonly (readonly Ports[])[],
  dir: string,
  accounts?: Accounts,
): string {
  const login = accounts && `<user>${accounts.owner}</user><password>${accounts.password}</password>`;
  const rows = shards.map((replicas) => {
    const hosts = replicas.map(
      ({ tcp }) => `<replica><host>${HOST}</host><port>${tcp}</port>${login ?? ''}</replica>`,
    );
    return `<shard><internal_replication>false</internal_replication>${hosts.join('')}</shard>`;
  });
  const users = accounts && `<users_config>${join(dir, 'users.xml')}</users_config>`;
  return `<clickhouse>${users ?? ''}<remote_servers><${cluster}>${rows.join('')}</${cluster}></remote_servers></clickhouse>`;
}

/** The users of a server, as those of its package with a folder of further ones. */
function writeUsers(dir: string, { owner, password, users }: Accounts): void {
  const account = (secret: string): string =>
    `<password>${secret}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>`;
  const own = `<default>${account('')}</default><${owner}>${account(password)}</${owner}>`;
  const bounds = '<profiles><default/></profiles><quotas><default/></quotas>';
  writeFileSync(join(dir, 'users.xml'), `<clickhouse>${bounds}<users>${own}</users></clickhouse>`);
  mkdirSync(join(dir, 'users.d'));
  writeFileSync(join(dir, 'users.d', 'further.xml'), users);
}

interface ClusterOptions {
  /** Of each shard; 1 without it. */
  readonly replicas?: number;
  readonly accounts?: Accounts;
  /** Folders that hold all that each of them writes, in the order of what is returned. */
  readonly within?: readonly string[];
}

/**
 * Starts the servers of a cluster that know each other by its name.
 *
 * @returns the replicas of the first shard, then those of the next
 */
export async function startCluster(
  cluster: string,
  shards: number,
  { replicas = 1, accounts, within = [] }: ClusterOptions = {},
): Promise<readonly ClickHouseServer[]> {
  const ports: Ports[][] = [];
  for (let i = 0; i < shards; i++) {
    const shard: Ports[] = [];
    for (let k = 0; k < replicas; k++) shard.push({ http: await freePort(HOST), tcp: await freePort(HOST) });
    ports.push(shard);
  }
  const servers = ports.flat().map((each, i) => {
    const dir = mkdtempSync(join(within[i] ?? tmpdir(), 'perpmeter-shard-'));
    const config = join(dir, 'config.xml');
    writeFileSync(config, clusterConfig(cluster, ports, dir, accounts));
    if (accounts !== undefined) writeUsers(dir, accounts);
    return new Server(build(dir), dir, each, config, accounts?.env);
  });
  for (const server of servers) await server.restart();
  return servers;
}
