import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../until.ts';
import { PROGRAM, scratchFolder } from './run-cli.ts';

const SERVE =
  'serve --port 0 --admin-port 0 --venues binance --history off --books-per-venue 0 --data-dir data';
/** More than the process may have open files. */
const IDLE = 300;

async function status(url: string, localAddress = '127.0.0.1'): Promise<number | undefined> {
  const sent = request(url, { localAddress, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

it('few descriptors, many idle connections: both ports answer', async () => {
  const command = `ulimit -n 256 && exec ${process.execPath} ${PROGRAM} ${SERVE}`;
  const child = spawn('sh', ['-c', command], {
    cwd: scratchFolder(),
    env: {
      PATH: process.env.PATH ?? '',
      VENUE_BASES: '{"binance":{"rest":"http://127.0.0.1:1","ws":"ws://127.0.0.1:1"}}',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  await until(() => expect(child.exitCode ?? log).toContain('"listening"'));
  const api = /"address":"(http:[^"]+)"/.exec(log)?.[1] ?? '';
  const admin = /"admin":"(http:[^"]+)"/.exec(log)?.[1] ?? '';
  let closed = 0;
  const sockets = Array.from({ length: IDLE }, () => {
    const socket = connect(Number(new URL(api).port), '127.0.0.1').on('error', () => {});
    socket.on('close', () => {
      closed += 1;
    });
    socket.resume();
    return socket;
  });
  // A quarter of the half that a process of 256 leaves: the others are refused at once.
  await until(() => expect(closed).toBeGreaterThanOrEqual(IDLE - 32));
  expect(await status(`${admin}/livez`)).toBe(200);
  expect(await status(`${admin}/metrics`)).toBe(200);
  expect(await status(`${api}/v1/health`, '127.0.0.2')).toBe(200);
  expect(await status(`${api}/v1/health`)).toBe(503);
  await until(() => expect(closed).toBe(sockets.length));
  expect(await status(`${api}/v1/health`)).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
});
