import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { checkOverflow, DamagedFile, type Meta, type Metas, readMetas, readTreePage } from './lmdb-format.ts';

/** A file that another process writes is walked so often before it counts as whole. */
const TRIES = 5;

/**
 * Looks through all pages that LMDB would follow in a data file: it follows them unchecked, and a file that was cut off or
 * written over ends the process without a word.
 *
 * @param path of `data.mdb`
 * @returns why the file must not be opened; undefined where it is whole, empty or missing
 */
export function lmdbDamage(path: string): string | undefined {
  const file = openedForReading(path);
  if (file === undefined) return undefined;
  try {
    return fstatSync(file).size === 0 ? undefined : damageOf(file);
  } finally {
    closeSync(file);
  }
}

function openedForReading(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

function damageOf(file: number): string | undefined {
  let last: bigint | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    let before: bigint | undefined;
    try {
      const metas = readMetas(file);
      before = newerOf(metas.first, metas.second).transaction;
      walk(file, openedAs(metas));
      return undefined;
    } catch (cause) {
      if (!(cause instanceof DamagedFile)) throw cause;
      // A writer reuses pages of a state once two newer ones are there: only a file at rest tells.
      if (before === last) return cause.message;
      last = before;
    }
  }
  return undefined;
}

const newerOf = (a: Meta, b: Meta): Meta => (a.transaction >= b.transaction ? a : b);

/** The state that lmdb-js opens, which is `mdb_env_pick_meta` of its LMDB. */
function openedAs({ first, second, flushed }: Metas): Meta {
  const boot = bootOfMachine();
  return pickedOf(pickedOf(first, second, boot), flushed, boot);
}

/** The newer state, or the older one after a start of the machine before which the newer may not have reached the disk. */
function pickedOf(a: Meta, b: Meta, boot: bigint): Meta {
  if (b.transaction === 0n) return a;
  const newer = newerOf(a, b);
  const isOfThisBoot = newer.boot !== 0n && newer.boot === boot;
  if (isOfThisBoot || !newer.syncsLater) return newer;
  return a.transaction > b.transaction ? b : a;
}

/** The first part of the boot id, as LMDB reads it; 0 where the system has none. */
function bootOfMachine(): bigint {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return BigInt(`0x${id.split('-')[0]}`);
  } catch {
    return 0n;
  }
}

function walk(file: number, meta: Meta): void {
  const open: number[] = [];
  for (const root of meta.roots) if (root !== undefined) open.push(root);
  let seen = 0;
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    seen += 1;
    if (seen > meta.lastPage) throw new DamagedFile('its pages lead in a circle');
    const { children, overflows } = readTreePage(file, page, meta);
    for (const child of children) open.push(child);
    for (const [first, count] of overflows) checkOverflow(file, first, count, meta);
  }
}
