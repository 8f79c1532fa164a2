import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Child } from '../../host/process/child.ts';
import { type Progress, untilReady } from './ready.ts';

const server = createServer();
afterEach(() => {
  lookMs = 0;
  server.removeAllListeners('request');
  server.close();
});

/** Time between two looks of a start by its clock; it looks again as soon as it has been answered. */
let lookMs = 0;

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
  await untilReady(`http://127.0.0.1:${port}`, service, 0, progress, () => asked * lookMs);
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

it('a start of minutes that gets further: waited for', async () => {
  lookMs = 50_000;
  const said = await waitedFor([], health(0, 9, 0), health(0, 9, 50), health(4, 5, 50), health(9, 0, 2000));
  expect(said).toEqual(['9 of 9 venues, rows (0)', '9 of 9 venues, rows (50)', '5 of 9 venues, rows (50)']);
});

it('a start that gets no further for a minute: given up', async () => {
  lookMs = 50_000;
  const begun = waitedFor([], health(0, 9, 0), health(4, 5, 50), health(3, 6, 40));
  await expect(begun).rejects.toThrow('nothing new within a minute');
});
