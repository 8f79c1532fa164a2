import { describe, expect, it } from 'vitest';
import type { Route, Services } from '../../src/api/route.ts';
import type { Result } from '../../src/domain/errors.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import type { RenderedAnswer } from '../../src/products/answer/product-answer.ts';
import { answersData } from '../../src/products/define-product.ts';
import { BASE_URL, examplePayments, examplePrices, manualClock, requestOf } from './example-api.ts';
import { exampleAudit } from './example-audit.ts';
import { exampleBooks } from './example-books.ts';
import { createExampleHistory } from './example-history.ts';
import { EXAMPLE_NOW, EXAMPLE_VENUES, exampleRows } from './example-market.ts';
import { exampleMeasured } from './example-measured.ts';
import { examplePorts } from './example-ports.ts';
import { calmHealth, createFakeMarket } from './fake-market.ts';

/** A moment ends where an answer waits: the world may be another one when it goes on. */
class Moments {
  now = 0;
  /** Reads of live data, by the moment of each. */
  readonly reads = new Map<number, string[]>();

  end(): void {
    this.now += 1;
  }

  note(name: string): void {
    const known = this.reads.get(this.now);
    if (known === undefined) this.reads.set(this.now, [name]);
    else known.push(name);
  }

  /** The same object, whose every read is noted; what is reached through it likewise. */
  watch<T extends object>(target: T, name: string): T {
    return new Proxy(target, {
      get: (of, key) => {
        const label = `${name}.${String(key)}`;
        const value: unknown = Reflect.get(of, key, of);
        if (typeof value === 'function') {
          return (...args: readonly unknown[]): unknown => {
            this.note(label);
            return Reflect.apply(value, of, args);
          };
        }
        if (typeof value === 'object' && value !== null) return this.watch(value, label);
        this.note(label);
        return value;
      },
    });
  }

  /** The same object, whose every answer ends the moment. */
  waitOn<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (of, key) => {
        const value: unknown = Reflect.get(of, key, of);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          const made: unknown = Reflect.apply(value, of, args);
          return made instanceof Promise ? made.finally(() => this.end()) : made;
        };
      },
    });
  }
}

function watchedServices(moments: Moments): Services {
  const market = createFakeMarket(EXAMPLE_VENUES, exampleRows());
  market.remember(exampleRows());
  const history = createExampleHistory(exampleRows, manualClock());
  return {
    market: moments.watch(market, 'market'),
    books: moments.watch(exampleBooks(), 'books'),
    health: moments.watch(calmHealth(EXAMPLE_VENUES, EXAMPLE_NOW), 'health'),
    clock: moments.watch(manualClock(), 'clock'),
    readPort: examplePorts({
      audit: moments.watch(exampleAudit(), 'audit'),
      measured: moments.watch(exampleMeasured(), 'measured'),
    }),
    indexMoves: () => {
      moments.note('indexMoves');
      return new Map();
    },
    history: { version: 1, reader: moments.waitOn(history.reader) },
    payments: examplePayments(examplePrices(), 'off'),
    soldHeaders: [],
    service: {
      baseUrl: BASE_URL,
      name: 'Perpmeter',
      version: '0.1.0',
      data: 'simulated',
      startedAt: EXAMPLE_NOW,
    },
    routes: ROUTES,
  };
}

/** The request of a route, and the same with each yes-or-no parameter the other way round. */
function requestsOf(route: Route): readonly string[] {
  const request = requestOf(route);
  const flags = [...route.queryParameters].filter(([, { type }]) => type === 'boolean');
  return [request, ...flags.map(([name]) => flipped(request, name, route))];
}

function flipped(request: string, name: string, route: Route): string {
  const url = new URL(request, BASE_URL);
  const usual = url.searchParams.get(name) ?? String(route.queryParameters.get(name)?.default ?? false);
  url.searchParams.set(name, String(usual !== 'true'));
  return url.pathname + url.search;
}

/** The answer of a request, written in a moment after the one in which it was made. */
async function answerOf(
  route: Route,
  request: string,
  services: Services,
  moments: Moments,
): Promise<Result<RenderedAnswer>> {
  const url = new URL(request, BASE_URL);
  const parts = url.pathname.split('/');
  const inPath = route.path.split('/').flatMap((part, at): [string, string][] => {
    const value = parts[at];
    return part.startsWith('{') && value !== undefined ? [[part.slice(1, -1), value]] : [];
  });
  const read = route.read(inPath, [...url.searchParams]);
  if (!read.ok) return read;
  const plan = route.plan(read.value, services);
  if (!plan.ok) return plan;
  const made = await plan.value.produce();
  moments.end();
  if (made.ok && 'write' in made.value.content) made.value.content.write();
  return made;
}

const live = ROUTES.filter((route) => answersData(route) && route.contentType === undefined);
const cases = live.flatMap((route) => requestsOf(route).map((request) => ({ route, request })));

/** A year before anything is stored: these end in a 404 that says what is. */
const LONG_AGO = 'from=2025-11-01T00:00:00Z&to=2025-11-02T00:00:00Z';
const unknown = [
  `/v1/perp/oi-history?ticker=BTC&venue=binance&${LONG_AGO}`,
  `/v1/perp/volume-history?ticker=BTC&venue=binance&${LONG_AGO}`,
  `/v1/backtest/data?ticker=BTC&venue=binance&${LONG_AGO}`,
  `/v1/funding/historical?ticker=BTC&${LONG_AGO}`,
].flatMap((request) =>
  live.filter(({ path }) => path === request.split('?', 1)[0]).map((route) => ({ route, request })),
);

describe('one moment', () => {
  it.each(cases)('$request: all that it rests on is read at once', async ({ route, request }) => {
    const moments = new Moments();
    const answer = await answerOf(route, request, watchedServices(moments), moments);
    expect(answer).toMatchObject({ ok: true });
    expect([...moments.reads.values()].slice(1)).toEqual([]);
  });

  it.each(unknown)('$request: its refusal is of one moment, too', async ({ route, request }) => {
    const moments = new Moments();
    const answer = await answerOf(route, request, watchedServices(moments), moments);
    expect(answer).toMatchObject({ ok: false, error: { code: 'no_data' } });
    expect([...moments.reads.values()].slice(1)).toEqual([]);
  });
});
