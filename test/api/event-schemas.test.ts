import { Check } from 'typebox/schema';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asBps } from '../../src/domain/units.ts';
import { firingRow } from '../../src/modules/watch/firing-row.ts';
import { statementOf } from '../../src/modules/watch/statement.ts';
import { Attempts } from '../../src/modules/webhook/attempts.ts';
import type { Outgoing } from '../../src/modules/webhook/outbound.ts';
import { atOnce } from '../at-once.ts';
import { streamMarket, streamRig } from '../paid-stream/stream-rig.ts';
import { conditionFrom, marketRig, watchRig } from '../watch/watch-rig.ts';
import { inlined } from './documented-schema.ts';
import { createExampleApi, type ExampleApi } from './example-api.ts';
import { getRaw, json } from './raw-http.ts';

type Json = Readonly<Record<string, unknown>>;
/** A part of a document, by names and places in lists. */
const partOf = (from: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((part, name) => (part as Readonly<Record<string | number, unknown>>)?.[name], from);

let example: ExampleApi;
let document: unknown;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  const served = json(await getRaw(await example.start(), '/openapi.json'));
  document = { paths: inlined(served, partOf(served, 'paths')) };
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => example.api.close());

/** Fields of a value that its schema does not name. */
function unnamed(schema: unknown, value: unknown, path = ''): readonly string[] {
  const { properties, items, oneOf, type } = schema as {
    readonly properties?: Json;
    readonly items?: unknown;
    readonly oneOf?: readonly unknown[];
    readonly type?: unknown;
  };
  if (Array.isArray(value)) return value.flatMap((each) => unnamed(items, each, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  if (oneOf !== undefined) {
    const faults = oneOf
      .filter((each) => Check(each as never, value))
      .map((each) => unnamed(each, value, path));
    return faults.find((each) => each.length === 0) ?? faults[0] ?? [`${path}: none of oneOf`];
  }
  if (properties === undefined) return type === 'object' ? [] : [`${path}: no object`];
  return Object.entries(value).flatMap(([name, inner]) =>
    properties[name] === undefined
      ? [`${path}.${name}`]
      : unnamed(properties[name], inner, `${path}.${name}`),
  );
}

function expectValid(schema: unknown, value: unknown, what: string): void {
  expect([what, Check(schema as never, value), unnamed(schema, value)]).toEqual([what, true, []]);
}

/** The schema of each event of a route, as OpenAPI has it. */
function eventsOf(path: string): ReadonlyMap<string, unknown> {
  const content = partOf(document, 'paths', path, 'get', 'responses', '200', 'content', 'text/event-stream');
  const all = partOf(content, 'schema', 'oneOf') as readonly unknown[];
  return new Map(all.map((each) => [String(partOf(each, 'properties', 'event', 'const')), each]));
}

describe('events of a paid stream, in OpenAPI', () => {
  it('each of them that readers are sent: valid, with named fields alone', async () => {
    const market = streamMarket();
    for (const venue of ['binance', 'okx']) market.list(venue, ['BTC'], { takerFeeBps: asBps(5) });
    const quote = (venue: string, rate: number): void =>
      market.quote(venue, {
        symbol: 'BTCUSDT',
        mark: 100,
        index: 100,
        bid: 99.9,
        ask: 100.1,
        rate,
        interval: 8,
      });
    quote('binance', 0.0001);
    quote('okx', 0.002);
    market.pass(0);
    market.fillBook('binance', 99.99, 100.01, 1000);
    market.fillBook('okx', 99.9, 100.1, 20);
    const rig = streamRig(market);
    closing.push(() => rig.close());
    const live = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        quote('binance', 0.0001 + (market.now() % 60_000) / 1e10);
        quote('okx', 0.002);
        rig.turn();
      }
    };
    const topics = 'funding,touches,quotes,signals';
    const id = rig.buy(6, { topics, symbol: 'BTC', size_usd: 250_000 });
    const { sink, reader } = await rig.read(id);
    live(2);
    sink.isTaking = false;
    live(3);
    sink.isTaking = true;
    rig.hall.drained(reader);
    live(120);
    atOnce(rig.desk.extend(id, 6));
    live(3);
    atOnce(rig.store.recover('two', market.clock.now(), () => true));
    live(2);
    await rig.hall.stop();
    const schemas = eventsOf('/v1/streams/{id}');
    for (const { id: eventId, event, data } of sink.heard)
      expectValid(schemas.get(event), { id: eventId, event, data }, event);
    expect([...new Set(sink.names)].sort()).toEqual([...schemas.keys()].sort());
    const first = sink.heard.find(({ event }) => event === 'snapshot')?.data.topics;
    for (const topic of topics.split(',')) expect(first[topic].rows.length, topic).toBeGreaterThan(0);
  });
});

describe('what a watch tells, in OpenAPI', () => {
  /** A watch that has told everything. */
  function told() {
    const market = marketRig();
    market.list('binance', ['BTC']);
    const rig = watchRig(market);
    closing.push(() => rig.close());
    const look = (rate: number, seconds: number): void => {
      for (let passed = 0; passed < seconds; passed += 2) {
        const row = { symbol: 'BTCUSDT', markPrice: 100, fundingRate: rate, fundingIntervalHours: 8 };
        market.tape.sinks.market.quotes('binance', [row as never], market.now());
        rig.turn(2, 1000);
      }
    };
    look(0.0001, 2);
    const id = rig.hold(conditionFrom(market, { ticker: 'BTC', venue: 'binance', above: 0.0005 }));
    look(0.0006, 4);
    look(0.0001, 4);
    rig.turn(500, 1000);
    look(0.0001, 4);
    rig.engine.end(id, 'removed');
    return { market, rig, id };
  }

  it('events, webhooks and the signed statement: valid', async () => {
    const { market, rig, id } = told();
    const events = eventsOf('/v1/watches/{id}');
    expect([...new Set(rig.kinds()), 'closing'].sort()).toEqual([...events.keys()].sort());
    const posted: Outgoing[] = [];
    const attempts = new Attempts({
      outbound: {
        post: async (_, outgoing) => {
          posted.push(outgoing);
          return { ok: true, status: 200, headers: {}, body: Buffer.from(outgoing.body) } as never;
        },
      },
      sign: () => 'a.b.c',
      clock: market.clock,
      random: () => 0,
      token: () => 'token-of-the-test',
      bodyOf: firingRow,
      wordsOf: () => '',
    });
    const target = { watchId: id, receiver: {} as never, format: undefined };
    const stop = new AbortController().signal;
    await attempts.challenge(target, { challenge: { state: 'unproven' } } as never, stop);
    const callbacks = partOf(document, 'paths', '/v1/watch/day', 'get', 'callbacks');
    const bodyOf = (name: string): unknown =>
      partOf(
        callbacks,
        name,
        '{$request.query.webhook}',
        'post',
        'requestBody',
        'content',
        'application/json',
        'schema',
      );
    expectValid(bodyOf('challenge'), JSON.parse(posted.at(-1)?.body ?? ''), 'challenge');
    for (const firing of rig.told) {
      const data = firingRow(firing);
      expectValid(events.get(firing.kind), { id: String(firing.seq), event: firing.kind, data }, firing.kind);
      await attempts.deliver(target, { givenUp: [] } as never, firing, stop);
      expectValid(bodyOf('firing'), JSON.parse(posted.at(-1)?.body ?? ''), 'firing');
    }
    const answer = partOf(document, 'paths', '/v1/watches/{id}', 'get', 'responses', '200', 'content');
    const field = partOf(answer, 'application/json', 'schema', 'properties', 'statement') as Json;
    const record = rig.desk.find(id);
    const statement: unknown = JSON.parse(JSON.stringify(record && statementOf(record, market.now())));
    expectValid(field.contentSchema, statement, 'statement');
    expect(field.contentMediaType).toBe('application/jwt');
    expect(partOf(statement, 'missing', 0)).toBeDefined();
  });
});
