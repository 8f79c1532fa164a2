import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../../src/host/process/free-port.ts';
import { wait } from '../../src/runtime/timer.ts';
import { Relay, type RelayMode } from '../pay/relay.ts';

/** Those of `ops/nats/accounts.conf`. */
const NATS_USERS = ['collector', 'recorder', 'seller'] as const;
export type NatsUser = (typeof NATS_USERS)[number];
const PASSWORDS = Object.fromEntries(
  NATS_USERS.map((user) => [`${user.toUpperCase()}_PASSWORD`, `${user}-test`]),
);

/** The reason for which no server can be started here; undefined = one can. */
export function natsObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'a server is only started on Linux';
  try {
    execFileSync('nats-server', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'nats-server is not installed';
  }
}

/** The version of the installed server. */
export const natsVersion = (): string => execFileSync('nats-server', ['--version']).toString().trim();

/** A server of its own on loopback with what it keeps in a temporary folder. It ends with this process. */
export class NatsServer {
  readonly #folder: string;
  readonly #config: string;
  #port = -1;
  #process: ChildProcess | undefined;

  private constructor(config: string, within: string) {
    this.#folder = mkdtempSync(join(within, 'perpmeter-nats-'));
    this.#config = config;
  }

  /**
   * @param config further lines of its configuration
   * @param within folder that holds all that it writes
   */
  static async start(config = '', within = tmpdir()): Promise<NatsServer> {
    const server = new NatsServer(config, within);
    await server.begin();
    return server;
  }

  /** Starts it, also after a kill, on the same port; resolved when it listens. */
  async begin(): Promise<void> {
    const store = join(this.#folder, 'store');
    const file = join(this.#folder, 'nats.conf');
    const own = `host: 127.0.0.1\nport: ${this.#port}\nports_file_dir: "${this.#folder}"\njetstream { store_dir: "${store}" }\n`;
    writeFileSync(file, own + this.#config);
    for (const stale of this.#portFiles()) rmSync(stale);
    const program = ['--pdeathsig', 'KILL', 'nats-server', '-c', file];
    const env = { PATH: process.env.PATH, ...PASSWORDS };
    this.#process = spawn('setpriv', program, { stdio: 'ignore', env });
    let port = this.#portSaid();
    while (port === undefined) {
      if (this.#process.exitCode !== null)
        throw new Error(`nats-server ended with ${this.#process.exitCode}`);
      await wait(10);
      port = this.#portSaid();
    }
    this.#port = port;
  }

  /** Its port, once the file that says so is there and written to its end. */
  #portSaid(): number | undefined {
    const [file] = this.#portFiles();
    const text = file === undefined ? '' : readFileSync(file, 'utf8');
    if (!text.trimEnd().endsWith('}')) return undefined;
    const { nats } = JSON.parse(text) as { readonly nats: readonly string[] };
    return Number(new URL(nats[0] ?? '').port);
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get port(): number {
    return this.#port;
  }

  url(user?: NatsUser): string {
    const login = user === undefined ? '' : `${user}:${user}-test@`;
    return `nats://${login}${this.host}`;
  }

  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  /** Its store is lost. */
  forget(): void {
    rmSync(join(this.#folder, 'store'), { recursive: true, force: true });
  }

  /** Ends it as a restart of its package does. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #portFiles(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.ports'))
      .map((name) => join(this.#folder, name));
  }
}

/** Servers that keep the bucket of the leases together, and the network between them. */
export interface NatsServers {
  /** Each is named by its place. */
  readonly servers: readonly NatsServer[];
  /** Sets the network between a server and all others. */
  readonly separate: (server: number, mode: RelayMode) => void;
  readonly stop: () => Promise<void>;
}

/** @param within folders that hold all that each of them writes */
export async function startNatsServers(count: number, within: readonly string[] = []): Promise<NatsServers> {
  if (count === 1) {
    const server = await NatsServer.start();
    return { servers: [server], separate: () => {}, stop: () => server.stop() };
  }
  const places = Array.from({ length: count }, (_, i) => i);
  const ways: { readonly from: number; readonly to: number; readonly relay: Relay }[] = [];
  for (const from of places) {
    for (const to of places) if (from !== to) ways.push({ from, to, relay: await Relay.start(0) });
  }
  // After the relays: a port that is free is soon somebody's.
  const ports = await Promise.all(places.map(() => freePort('127.0.0.1')));
  for (const { to, relay } of ways) relay.lead(ports[to] ?? 0);
  const start = (port: number, i: number): Promise<NatsServer> => {
    const own = ways.filter(({ from }) => from === i);
    const routes = own.map(({ relay }) => `nats://127.0.0.1:${relay.port}`).join(', ');
    // Clients and servers reach each server over the way that a test has for it, and learn of no other.
    const more = `no_advertise: true, advertise: "127.0.0.1:1", routes: [${routes}]`;
    return NatsServer.start(
      `server_name: n${i}\ncluster { name: perpmeter, listen: "127.0.0.1:${port}", ${more} }\n`,
      within[i],
    );
  };
  const servers = await Promise.all(ports.map(start));
  const separate = (server: number, mode: RelayMode): void => {
    for (const { from, to, relay } of ways) if (from === server || to === server) relay.set(mode);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(ways.map(({ relay }) => relay.stop()));
  };
  return { servers, separate, stop };
}

/** The server that decides about leases at this moment. */
export async function leaderOf(
  servers: readonly NatsServer[],
  connection: NatsConnection,
): Promise<NatsServer | undefined> {
  const cluster = await bucketOf(connection);
  return servers[Number(cluster?.leader?.slice(1))];
}

/**
 * True if the server of a connection knows who decides about leases, and each of the others has all decisions.
 */
export async function isWhole(servers: readonly NatsServer[], connection: NatsConnection): Promise<boolean> {
  const { leader, replicas = [] } = (await bucketOf(connection)) ?? {};
  const current = replicas.filter((replica) => replica.current && replica.offline !== true);
  return leader !== undefined && current.length === servers.length - 1;
}

async function bucketOf(connection: NatsConnection) {
  const { streams } = await jetstreamManager(connection, { checkAPI: false });
  return (await streams.info('KV_perpmeter_leases')).cluster;
}
