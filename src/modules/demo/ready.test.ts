import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Child } from '../../host/process/child.ts';
import { type Progress, untilReady } from './ready.ts';

const server = createServer();
afterEach(() => {
  server.removeAllListeners('request');
  server.close();
});

/** Lists the parts that a start says it waits for while its service answers with these, one after another. */
async function waitedFor(
  waiting: readonly object[],
  ...answers: readonly object[]
): Promise<readonly string[]> {
  let asked = 0;
  server.on('request', ({ url }, res) => {
    const health = answers[Math.min(asked, answers.length - 1)];
    if (url === '/v1/health') asked++;
    res.end(JSON.stringify(url === '/v1/health' ? health : waiting));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const said: string[] = [];
  const progress = { say: (text: string) => said.push(text) } as unknown as Progress;
  const service = { exited: new Promise(() => {}) } as unknown as Child;
  await untilReady(`http://127.0.0.1:${port}`, service, Date.now(), progress);
  return said;
}

const health = (live: number, down: number, rows: number) => ({
  venues: { live, stale: 0, down },
  rows,
  payments: { mode: 'off' },
  store: { ok: null },
});

it('three venues: ready with all of them, and it says what is missing', async () => {
  const down = [{ venue: 'okx', status: 'down' }];
  const said = await waitedFor(down, health(0, 0, 0), health(2, 1, 90), health(3, 0, 0), health(3, 0, 120));
  expect(said).toEqual(['venues, rows (0)', '1 of 3 venues (okx)', 'rows (0)']);
});

it('all are live once their names are asked for: none is named', async () => {
  const live = [{ venue: 'okx', status: 'live' }];
  const said = await waitedFor(live, health(2, 1, 120), health(3, 0, 120));
  expect(said).toEqual(['1 of 3 venues']);
});
