import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own that is full on command. */
export interface SmallDisk {
  readonly path: string;
  /** Bytes that can still be written. */
  room(): number;
  /** Takes all room but so many bytes. */
  fill(leave?: number): void;
  /** Gives it back. */
  clear(): void;
  remove(): Promise<void>;
}

/**
 * It is there for as long as its standard input is open: a test that dies or ends early leaves no mount behind.
 */
const HELD =
  'trap "" TERM INT HUP; mount -t tmpfs -o size="$2" tmpfs "$1" && echo mounted && cat >/dev/null; umount -l "$1"';

/** The reason for which there can be no small disk here; undefined = there can. */
export function diskObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'a small disk is made with tmpfs, on Linux only';
  const path = mkdtempSync(join(tmpdir(), 'perpmeter-mount-'));
  const tried = spawnSync('sh', ['-c', HELD, 'sh', path, '1m'], { input: '' });
  rmSync(path, { recursive: true, force: true });
  return tried.stdout?.toString().includes('mounted') ? undefined : 'not allowed to mount a small disk';
}

const CHUNK = Buffer.alloc(256 * 1024, 1);

function takeRoom(file: string, bytes: number): void {
  const held = openSync(file, 'a');
  try {
    for (let left = bytes; left > 0; ) {
      const written = writeSync(held, CHUNK, 0, Math.min(left, CHUNK.length));
      if (written === 0) return;
      left -= written;
    }
  } catch (cause) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    if (!isFull) throw cause;
  } finally {
    closeSync(held);
  }
}

/** @param megabytes size of the disk */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = mkdtempSync(join(tmpdir(), 'perpmeter-disk-'));
  const holder = spawn('sh', ['-c', HELD, 'sh', path, `${megabytes}m`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) => reject(new Error(`no small disk: mount ended with ${code}`)));
  });
  const filler = join(path, 'filler');
  const room = (): number => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    room,
    fill(leave = 0) {
      takeRoom(filler, leave === 0 ? Number.POSITIVE_INFINITY : room() - leave);
    },
    clear: () => rmSync(filler, { force: true }),
    remove: () => unmount(holder, path),
  };
}

async function unmount(holder: ChildProcess, path: string): Promise<void> {
  const gone = new Promise((resolve) => holder.once('exit', resolve));
  holder.stdin?.end();
  await gone;
  rmSync(path, { recursive: true, force: true });
}
