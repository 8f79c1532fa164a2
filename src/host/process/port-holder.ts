import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

const LISTENING = '0A';

/** The command line of a process as text; undefined where it is gone, or where the system does not say. */
export function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return undefined;
  }
}

/** Inodes of the sockets that listen on a port, from the kernel's table (proc(5)). */
function listeners(port: number): ReadonlySet<string> {
  const inodes = ['tcp', 'tcp6'].flatMap((family) => {
    try {
      const rows = readFileSync(`/proc/net/${family}`, 'utf8').split('\n').slice(1);
      const fields = rows.map((row) => row.trim().split(/\s+/));
      return fields
        .filter(
          ([, local = '', , state]) =>
            state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
        )
        .map((row) => row[9] ?? '');
    } catch {
      return [];
    }
  });
  return new Set(inodes);
}

function holdsOne(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false;
  }
}

/** The process that listens on a port, where the system says it: Linux, and a process of this user. */
function portHolder(port: number): number | undefined {
  const inodes = listeners(port);
  if (inodes.size === 0) return undefined;
  const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holdsOne(entry, inodes));
  return pid === undefined ? undefined : Number(pid);
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (cause) => resolve('code' in cause && cause.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/**
 * The reason for which this address cannot be listened on, with the process that holds it; undefined where it
 * is free.
 * @param flag by which another port can be chosen
 */
export async function portFault(host: string, port: number, flag = '--port'): Promise<string | undefined> {
  if (!(await isTaken(host, port))) return undefined;
  const pid = portHolder(port);
  const holder =
    pid === undefined ? 'another process' : `process ${pid} (${commandOf(pid) ?? 'gone by now'})`;
  return `${host}:${port} is in use by ${holder}; stop it, or choose another with ${flag}`;
}
