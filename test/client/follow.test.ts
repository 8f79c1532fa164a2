import {
  createClient,
  type Fetch,
  type FollowEvent,
  type FollowOptions,
  type Signer,
  type WalletOptions,
} from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MinutePurse } from '../../packages/client/src/follow/minute-purse.ts';
import type { FollowParts } from '../../packages/client/src/follow/parts.ts';
import { type StreamService, startStreamService } from '../paid-stream/stream-service.ts';
import { openSale, type Sale } from '../pay/open-sale.ts';
import { until } from '../until.ts';

let sale: Sale;
let service: StreamService;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  sale = await openSale();
  service = await startStreamService(sale);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await service.stop();
  await sale.stop();
});

const BTC = { symbol: ['BTC'], venues: ['binance', 'okx'], maxUsd: '0.05' } as const;
const earnedBy = async (work: () => Promise<unknown>): Promise<bigint> => {
  const before = await sale.earned();
  await work();
  return (await sale.earned()) - before;
};

interface Hurts {
  /** May break or change the answer to a payment. */
  readonly paid?: (response: Response) => Response;
  readonly wallet?: Partial<WalletOptions>;
  /** So many connections find no stream yet. */
  readonly unknown?: number;
}

/** Follows a stream of the real service; `cut` breaks its newest connection. */
function followed(
  options: Partial<FollowOptions> = {},
  { paid = (response) => response, wallet, unknown = 0 }: Hurts = {},
) {
  const connections: { readonly lastId: string | undefined; readonly cut: () => void }[] = [];
  const watching: Fetch = async (url, init) => {
    if ('PAYMENT-SIGNATURE' in init.headers) return paid(await fetch(url, init));
    if (init.headers.Accept !== 'text/event-stream') return fetch(url, init);
    const broken = new AbortController();
    connections.push({ lastId: init.headers['Last-Event-ID'], cut: () => broken.abort() });
    const seen = connections.length > unknown ? url : `${service.url}/v1/streams/s${'0'.repeat(24)}`;
    return fetch(seen, { ...init, signal: AbortSignal.any([init.signal, broken.signal]) });
  };
  const signer = keySigner(sale.chain.buyer.privateKey);
  const client = createClient({
    baseUrl: service.url,
    fetch: watching,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    wallet: { signer, caps: { perCall: '0.05', total: '1' }, ...wallet },
  });
  const following = client.follow({ ...BTC, ...options });
  const events: FollowEvent[] = [];
  const take = async (): Promise<void> => {
    for await (const event of following) events.push(event);
  };
  const done = take();
  closing.push(async () => {
    await following.return();
    await done;
  });
  return { client, following, events, connections, done, cut: () => connections.at(-1)?.cut() };
}

const namesOf = (events: readonly FollowEvent[]) => events.map(({ event }) => event);
const meterOf = ({ following }: Pick<ReturnType<typeof followed>, 'following'>) =>
  service.desk.find(following.stream?.id ?? '')?.meter;

describe('a paid stream that is followed', () => {
  it('bought by itself: ten minutes, then events and their rows', async () => {
    service.setRate(0.001);
    const earned = await earnedBy(async () => {
      const run = followed({ topics: ['funding', 'touches'] });
      await until(() => expect(namesOf(run.events)).toEqual(['bought', 'snapshot']));
      expect(run.events[0]).toMatchObject({ minutes: 10, spentUsd: '0.01' });
      expect([...(run.following.rows.funding?.keys() ?? [])]).toEqual([
        'binance crypto:BTC',
        'okx crypto:BTC',
      ]);
      expect(run.following.rows.touches?.size).toBe(2);
      service.setRate(0.002);
      service.turn();
      await until(() => expect(run.following.rows.funding?.get('binance crypto:BTC')?.rate).toBe(0.002));
      expect(run.following.rows.funding?.size).toBe(2);
      expect([run.following.spentUsd, run.client.spentUsd()]).toEqual(['0.01', '0.01']);
    });
    expect(earned).toBe(10_000n);
  });

  it('the service does not know what was just bought: asked again', async () => {
    const run = followed({}, { unknown: 2 });
    await until(() => expect(namesOf(run.events)).toEqual(['bought', 'snapshot']));
    expect(run.connections).toHaveLength(3);
  });

  it('a broken connection: goes on after the last event', async () => {
    service.setRate(0.001);
    const run = followed();
    await until(() => expect(namesOf(run.events)).toEqual(['bought', 'snapshot']));
    run.cut();
    await until(() => expect(run.connections.length).toBe(2));
    service.setRate(0.004);
    service.turn();
    await until(() => expect(run.following.rows.funding?.get('binance crypto:BTC')?.rate).toBe(0.004));
    expect(run.connections[1]?.lastId).toMatch(/-1$/);
    expect(namesOf(run.events).slice(2)).not.toContain('snapshot');
  });

  it('due, and the answer to its payment lost: paid on, once', async () => {
    let broken = 0;
    let isBreaking = false;
    const paid = (response: Response): Response => {
      if (!isBreaking || broken++ > 0) return response;
      throw new TypeError('connection broken');
    };
    const earned = await earnedBy(async () => {
      const run = followed({}, { paid });
      await until(() => expect(namesOf(run.events)).toContain('snapshot'));
      isBreaking = true;
      service.turn(9 * 60 + 50);
      run.cut();
      await until(() => expect(run.events.at(-1)).toMatchObject({ event: 'bought', spentUsd: '0.02' }));
      expect(broken).toBeGreaterThan(1);
      expect(meterOf(run)?.paid).toBe(20);
      service.turn(60);
      expect(namesOf(run.events)).not.toContain('paused');
    });
    expect(earned).toBe(20_000n);
  });

  it('a payment that is missed: paused, then paid and resumed', async () => {
    const own = keySigner(sale.chain.buyer.privateKey);
    let isLocked = false;
    const signer: Signer = {
      address: own.address,
      signTypedData: (data) => (isLocked ? Promise.reject(new Error('locked')) : own.signTypedData(data)),
    };
    const run = followed({}, { wallet: { signer } });
    await until(() => expect(namesOf(run.events)).toContain('snapshot'));
    isLocked = true;
    service.turn(9 * 60 + 50);
    await until(() => expect(namesOf(run.events)).toContain('due'));
    await run.client.request('/v1/funding/current?symbol=BTC');
    isLocked = false;
    service.turn(40);
    await until(() => expect(run.events.at(-1)).toMatchObject({ event: 'bought', minutes: 10 }));
    service.turn();
    await until(() => expect(namesOf(run.events)).toContain('resumed'));
    expect(namesOf(run.events)).not.toContain('ended');
  });

  it('a cap that is reached: paused, and ended with what helps', async () => {
    const earned = await earnedBy(async () => {
      const run = followed({ maxUsd: '0.01' });
      await until(() => expect(namesOf(run.events)).toContain('snapshot'));
      service.turn(9 * 60 + 50);
      await until(() => expect(namesOf(run.events)).toContain('due'));
      service.turn(40);
      await run.done;
      expect(run.events.slice(-2)).toMatchObject([
        { event: 'paused', reason: 'unpaid' },
        {
          event: 'ended',
          spentUsd: '0.01',
          problem: {
            code: 'over_budget',
            cap: 'total',
            detail: expect.stringContaining('with a higher one'),
          },
        },
      ]);
      await until(() => expect(service.hall.readersOf(run.following.stream?.id ?? '')).toBe(0));
    });
    expect(earned).toBe(10_000n);
  });

  it('a cap below ten minutes: bought by the minute', async () => {
    const run = followed({ maxUsd: '0.004' });
    await until(() =>
      expect(run.events[0]).toMatchObject({ event: 'bought', minutes: 1, spentUsd: '0.001' }),
    );
  });

  it('as many minutes as were asked for: ended before another one begins', async () => {
    const run = followed({ minutes: 1 });
    await until(() => expect(namesOf(run.events)).toEqual(['bought', 'snapshot']));
    service.turn(46);
    await run.done;
    expect(run.events.at(-1)).toEqual({ event: 'ended', problem: null, spentUsd: '0.001' });
    await until(() => expect(service.hall.readersOf(run.following.stream?.id ?? '')).toBe(0));
    service.turn(60);
    expect(meterOf(run)).toMatchObject({ paid: 1, used: 1 });
  });

  it('a signal, and a return while it waits: no further minute begins', async () => {
    const end = new AbortController();
    const runs = [followed({ signal: end.signal }), followed()];
    for (const run of runs) await until(() => expect(namesOf(run.events)).toContain('snapshot'));
    end.abort();
    await runs[1]?.following.return();
    await Promise.all(runs.map(({ done }) => done));
    for (const run of runs) {
      await until(() => expect(service.hall.readersOf(run.following.stream?.id ?? '')).toBe(0));
      expect(namesOf(run.events)).not.toContain('ended');
    }
    service.turn(120);
    for (const run of runs) expect(meterOf(run)).toMatchObject({ paid: 10, used: 1 });
  });

  it('by its id and secret: read on and extended, nothing bought first', async () => {
    const first = followed({ maxUsd: '0.001' });
    await until(() => expect(namesOf(first.events)).toContain('snapshot'));
    await first.following.return();
    const { stream } = first.following;
    const run = followed({ stream });
    await until(() => expect(namesOf(run.events)).toEqual(['snapshot']));
    service.turn(46);
    await until(() => expect(run.events.at(-1)).toMatchObject({ event: 'bought', minutes: 10 }));
    expect(meterOf(run)?.paid).toBe(11);
  });

  it('a secret that is refused, a stream that is gone: ended with that', async () => {
    const bought = followed({ maxUsd: '0.001' });
    await until(() => expect(namesOf(bought.events)).toContain('snapshot'));
    const { id = '' } = bought.following.stream ?? {};
    for (const stream of [
      { id: 's0123456789abcdef01234567', secret: 'lost' },
      { id, secret: 'wrong' },
    ]) {
      const run = followed({ stream });
      await run.done;
      expect(run.events).toMatchObject([{ event: 'ended', problem: { code: 'no_data' }, spentUsd: '0' }]);
    }
  });

  it('newer readers of it: ended, and not opened again', async () => {
    const run = followed();
    await until(() => expect(namesOf(run.events)).toContain('snapshot'));
    const { stream } = run.following;
    const others = [followed({ stream }), followed({ stream })];
    await run.done;
    expect(run.events.at(-1)).toMatchObject({ event: 'ended', problem: { code: 'stream_replaced' } });
    for (const other of others) await until(() => expect(namesOf(other.events)).toContain('snapshot'));
  });
});

describe('the minutes of a stream', () => {
  const ORIGIN = 'https://data.example.com';
  const { signal } = new AbortController();

  /** The paths at which a purse asks for minutes. */
  async function askedBy(
    state: 'open' | 'closed',
    uses: number,
    minutes?: number,
  ): Promise<readonly string[]> {
    const asked: string[] = [];
    const parts = {
      baseUrl: ORIGIN,
      purse: { open: () => undefined, channels: { list: async () => [{ state, origin: ORIGIN }] } },
      request: async (path: string) => {
        asked.push(path);
        return { ok: false, problem: { code: 'over_budget', charged: false, detail: '' } };
      },
      now: () => 0,
    } as unknown as FollowParts;
    await new MinutePurse(parts, { maxUsd: '1', minutes }).buy(new URLSearchParams(), uses, signal);
    return asked;
  }

  it.each([
    ['open', 1, undefined, ['/v1/stream/minute?']],
    ['open', 3, undefined, ['/v1/stream/ten-minutes?']],
    ['closed', 1, undefined, ['/v1/stream/ten-minutes?', '/v1/stream/minute?']],
    ['closed', 1, 5, ['/v1/stream/minute?']],
    ['closed', 3, 5, []],
  ] as const)('a channel that is %s, %i a minute, of %s: %j', async (state, uses, minutes, paths) => {
    expect(await askedBy(state, uses, minutes)).toEqual(paths);
  });
});
