import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Processes can only be told apart by number within one run of one machine and, on Linux, one process namespace. Machines
 * that share a ledger may have one name, and their first namespaces have one number.
 */
const PLACE = [hostname(), bootId(), processNamespace()].join('/');

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}

/** A name for this run of this process, written into what it works on. */
export function createOwner(): string {
  return `${PLACE}/${process.pid}/${randomBytes(6).toString('hex')}`;
}

/** True if the owner's process number is of this machine, so that it can be looked up. */
export const isOwnersPlace = (owner: string): boolean => owner.startsWith(`${PLACE}/`);

/**
 * True where the named process certainly no longer runs. False when in doubt (another host or container, a number
 * that is in use again): then the lease decides.
 */
export function isOwnerGone(owner: string): boolean {
  if (!isOwnersPlace(owner)) return false;
  const pid = Number(owner.slice(PLACE.length + 1).split('/')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'ESRCH';
  }
}
