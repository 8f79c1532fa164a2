import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/host/process/free-port.ts';
import { wait } from '../../src/runtime/timer.ts';
import type { Member } from '../feed/member.ts';

const HOST = '127.0.0.1';
const CONFIG = fileURLToPath(new URL('../../ops/haproxy/haproxy.cfg', import.meta.url));
const POLL_MS = 50;

/** The reason for which no haproxy can be started here; undefined = one can. */
export function haproxyObstacle(): string | undefined {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'haproxy is not installed';
  }
}

/** haproxy with the configuration that is shipped, as its image starts it. */
export interface Balancer {
  readonly url: string;
  /** Has another process of it go on, as after a change of its configuration; resolved when that answers. */
  reload(): Promise<void>;
  stop(): void;
}

/** @param sellers the two that it gives requests to */
export async function startBalancer(sellers: readonly Pick<Member, 'url'>[]): Promise<Balancer> {
  const listen = `${HOST}:${await freePort(HOST)}`;
  const [a, b] = sellers.map(({ url }) => new URL(url).host);
  const env = { PATH: process.env.PATH, LISTEN: listen, SELLER_A: a, SELLER_B: b };
  const program = ['--pdeathsig', 'KILL', 'haproxy', '-W', '-db', '-f', CONFIG];
  const child = spawn('setpriv', program, { stdio: ['ignore', 'ignore', 'ignore'], env });
  const url = `http://${listen}`;
  const workers = (): readonly string[] =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const untilAnswered = async (): Promise<void> => {
    const isAnswered = (): Promise<boolean> =>
      fetch(`${url}/v1/health`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isAnswered())) await wait(POLL_MS);
  };
  await untilAnswered();
  const reload = async (): Promise<void> => {
    const before = workers();
    child.kill('SIGUSR2');
    while (!workers().some((worker) => !before.includes(worker))) await wait(POLL_MS);
    await untilAnswered();
  };
  return { url, reload, stop: () => void child.kill('SIGKILL') };
}
