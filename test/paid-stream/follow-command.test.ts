import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type FollowFlags,
  followCommand,
  selectionOf,
} from '../../src/modules/paid-stream/follow-command.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';
import { type StreamService, startStreamService } from './stream-service.ts';

let sale: Sale;
let service: StreamService;
beforeAll(async () => {
  sale = await openSale();
  service = await startStreamService(sale, 'remote');
});
afterAll(async () => {
  await service.stop();
  await sale.stop();
});

/** Runs the command beside `work`; its exit code, the events that it wrote and what it said. */
async function run(
  asked: string,
  flags: Partial<FollowFlags>,
  work: (events: readonly string[], interrupt: () => void) => Promise<void>,
) {
  const others = process.listeners('SIGINT');
  const lines: string[] = [];
  const stdout = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      lines.push(String(chunk));
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const { privateKey: key } = sale.chain.buyer;
    const running = followCommand(asked, { url: service.url, key, maxUsd: '0.10', ...flags });
    // A signal of the whole process would end other things that listen in it.
    const own = process.listeners('SIGINT').filter((listener) => !others.includes(listener));
    await work(lines, () => {
      for (const listener of own) listener('SIGINT');
    });
    const code = await running;
    const said = stderr.mock.calls.map(([text]) => String(text)).join('');
    return { code, said, names: lines.map((line) => (JSON.parse(line) as { event: string }).event) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

describe('perpmeter follow', () => {
  it.each([
    ['server-sent events', {}],
    ['WebSocket', { websocket: true }],
  ] as const)('a signal, by %s: ended, with what was spent', async (_, flags) => {
    const { code, said, names } = await run('topics=funding&symbol=BTC', flags, async (lines, interrupt) => {
      await until(() => expect(lines.length).toBe(2));
      interrupt();
    });
    expect([code, names]).toEqual([0, ['bought', 'snapshot']]);
    expect(said).toMatch(/0\.01 USD were spent on s[0-9a-f]{24}\n$/);
  });

  it('a cap below the price: exit code 1, and the reason', async () => {
    const { code, said, names } = await run('symbol=BTC', { maxUsd: '0.0001' }, async () => {});
    expect([code, names]).toEqual([1, []]);
    expect(said).toContain('over_budget');
  });

  it.each([
    ['/v1/stream/minute?topics=touches&symbol=BTC,ETH', { topics: ['touches'], symbol: ['BTC', 'ETH'] }],
    ['venues=okx', { venues: ['okx'] }],
    ['topics=quotes&symbol=BTC&size_usd=25000', { topics: ['quotes'], sizeUsd: 25_000 }],
  ])('%s: read as its selection', (asked, selection) => {
    expect(selectionOf(asked)).toMatchObject(selection);
  });

  it.each(['extends=s1', 'topics=rates', '/v1/stream/minute', 'size_usd=much'])('%s: refused', (asked) => {
    expect(() => selectionOf(asked)).toThrow();
  });
});
