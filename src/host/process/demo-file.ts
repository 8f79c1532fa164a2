import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWire } from '../../domain/read.ts';
import { SETTINGS } from '../settings/setting-table.ts';

/** Process ids of a demo and its parts, as far as they have started. */
export interface DemoPids {
  readonly demo?: number;
  readonly service?: number;
  readonly sim?: number;
  readonly chain?: number;
}

/** A running demo's description of itself; written with mode 0600 because it holds the buyer's key. */
export interface DemoFile {
  readonly base_url: string;
  /** The same without payments, for the operator. */
  readonly operator_url?: string;
  /** The simulated venues: `/__sim/health` there says how slow their world is. */
  readonly sim_url?: string;
  readonly pids: DemoPids;
  /** The local chain and who is on it, where there is one. */
  readonly rpc_url?: string;
  readonly chain_id?: number;
  readonly asset?: string;
  readonly pay_to?: string;
  readonly buyer_address?: string;
  readonly buyer_private_key?: string;
}

export const DEMO_FILE = 'var/demo.json';

/** Writes what is known so far: a demo that is starting has process ids only. */
export function writeDemoFile(demo: Partial<DemoFile>, path = DEMO_FILE): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The address of a service with default settings. */
export const LOCAL_SERVICE = `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`;

/** Help of the option that names the service which a command asks for free. */
export const SERVICE_OPTION = `ask this service; default PERPMETER_URL, else the running demo's, else ${LOCAL_SERVICE}`;

/** The service to ask where asking costs nothing: what is given, else PERPMETER_URL, else the running demo's, else one on this machine. */
export const serviceToAsk = (url: string | undefined): string =>
  url ?? process.env.PERPMETER_URL ?? readDemoFile()?.base_url ?? LOCAL_SERVICE;

export function removeDemoFile(path = DEMO_FILE): void {
  rmSync(path, { force: true });
}

/** When the file was last written, Unix ms: every process that it names had begun by then. NaN without one. */
export function demoFileWrittenAt(path = DEMO_FILE): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The ready demo's file, or undefined where there is none that can be read. */
export function readDemoFile(path = DEMO_FILE): DemoFile | undefined {
  const value = readFile(path);
  return isWire(value) && typeof value.base_url === 'string' ? (value as unknown as DemoFile) : undefined;
}

/** The processes of the demo that runs in this folder, or that ran and was killed. */
export function readDemoPids(path = DEMO_FILE): DemoPids {
  const value = readFile(path);
  if (!isWire(value) || !isWire(value.pids)) return {};
  return Object.fromEntries(
    Object.entries(value.pids).filter(([, pid]) => Number.isInteger(pid) && Number(pid) > 0),
  );
}
