import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWire } from '../domain/read.ts';

/** What a running demo says of itself; written with mode 0600 because it holds the buyer's key. */
export interface DemoFile {
  readonly base_url: string;
  readonly rpc_url: string;
  readonly chain_id: number;
  readonly asset: string;
  readonly pay_to: string;
  readonly buyer_address: string;
  readonly buyer_private_key: string;
  readonly pids: { readonly service: number; readonly sim: number; readonly chain: number };
}

export const DEMO_FILE = 'var/demo.json';

export function writeDemoFile(demo: DemoFile, path = DEMO_FILE): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
}

export function removeDemoFile(path = DEMO_FILE): void {
  rmSync(path, { force: true });
}

/** The running demo's file, or undefined where there is none that can be read. */
export function readDemoFile(path = DEMO_FILE): DemoFile | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isWire(value) || typeof value.base_url !== 'string') return undefined;
    if (typeof value.buyer_private_key !== 'string') return undefined;
    return value as unknown as DemoFile;
  } catch {
    return undefined;
  }
}
