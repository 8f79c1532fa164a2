import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../src/host/process/free-port.ts';
import type { ProxyKind } from './kinds.ts';

const START_MS = 15_000;
/** Where servers are installed, also for users who do not have it in their PATH. */
const PATH = [process.env.PATH, '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter);
const ENV = { ...process.env, PATH };

/** A program of Debian. */
interface Program extends Pick<ProxyKind, 'name' | 'version'> {
  /** The package's name, if it differs. */
  readonly package?: string;
}

const isThere = ({ name, version }: Program): boolean => spawnSync(name, version, { env: ENV }).status === 0;

/** Installs what is missing with apt-get; throws where that fails. */
export function install(programs: readonly Program[]): void {
  const missing = programs
    .filter((program) => !isThere(program))
    .map((program) => program.package ?? program.name);
  if (missing.length === 0) return;
  const root = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args: readonly string[]): void => {
    const [command = '', ...rest] = [...root, 'apt-get', '-q', ...args];
    execFileSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...ENV, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...missing);
}

/** The version as the program prints it. */
export function versionOf({ name, version }: Program): string {
  const { stdout, stderr } = spawnSync(name, version, { env: ENV, encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? 'unknown';
}

export type StartedProxy = RunningProxy | { readonly ok: false; readonly error: string };

interface RunningProxy {
  readonly ok: true;
  readonly url: string;
  /** Resolves when its process has ended, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a proxy in front of a port of this machine; resolves when it takes connections, or ended. */
export async function startProxy(kind: ProxyKind, service: number): Promise<StartedProxy> {
  const folder = mkdtempSync(join(tmpdir(), `proxy-${kind.name}-`));
  const port = await freePort('127.0.0.1');
  const config = join(folder, 'config');
  writeFileSync(config, kind.config(port, service, folder));
  const env = { ...ENV, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(kind.name, kind.run(config, folder), { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const until = Date.now() + START_MS;
  while (!(await takesConnections(port))) {
    if (Date.now() < until && child.exitCode === null) continue;
    await stop();
    return { ok: false, error: `${kind.name} did not start: ${said.trim()}` };
  }
  return { ok: true, url: `http://127.0.0.1:${port}`, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}

/** Tries once, at most every 50 ms. */
async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((next) => setTimeout(next, 50));
    return false;
  } finally {
    socket.destroy();
  }
}
