import { readdirSync, readFileSync } from 'node:fs';
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { renderProblem } from '../../src/api/problem.ts';
import type { ToolPlace } from '../../src/host/tool-place.ts';
import { toolResult } from '../../src/modules/mcp/result.ts';
import { parametersOf } from '../../src/modules/mcp/schema.ts';
import { McpServers } from '../../src/modules/mcp/server.ts';
import { themesWith } from '../../src/modules/mcp/themes.ts';
import { toolsOf, urlOf } from '../../src/modules/mcp/tools.ts';
import { ROUTES, TOOL_PLACES } from '../../src/modules/routes.ts';
import { BASE_URL } from '../api/example-api.ts';
import { exampleBackend, priceOf } from './mcp-service.ts';

const tools = toolsOf({ routes: ROUTES, toolPlaces: TOOL_PLACES });
const call = () => Promise.reject(new Error('no call is made'));
const definitions = new McpServers({ ...exampleBackend, call }).definitions();

/** Pieces of which an encoder makes one token or more: words with what stands before them, up to three digits, signs. */
const PIECE = /[^\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu;
/** Tokens of `o200k_base` for each piece: 1.178 where this list has 3,967, and 1.154 in one of 5,844 with more words. */
const PIECE_TOKENS = 1.18;

const tokensOf = (text: string): number => (text.match(PIECE) ?? []).length * PIECE_TOKENS;

describe('the list of tools', () => {
  it('at most sixteen tools, 15.5 KB, 4,000 tokens, also of one that pays', () => {
    const budget = () => ({ per_call_usd: '0.1', total_usd: '1', spent_usd: '0' });
    const paying = new McpServers({ ...exampleBackend, call, budget }).definitions();
    for (const list of [definitions, paying]) {
      expect(list.length).toBeLessThanOrEqual(16);
      const text = JSON.stringify({ tools: list });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(15.5 * 1024);
      expect(tokensOf(text)).toBeLessThanOrEqual(4000);
    }
  });

  it('sells every paid product through one tool, at the price of the list', () => {
    const sold = ROUTES.filter(({ access }) => access === 'paid').map(({ id }) => id);
    const behind = tools.flatMap(({ routes }) => routes).filter(({ access }) => access === 'paid');
    expect(behind.map(({ id }) => id).sort()).toEqual([...sold].sort());
    for (const { theme, routes } of tools) {
      const text = definitions.find(({ name }) => name === theme.name)?.description ?? '';
      for (const route of routes) {
        const price = priceOf(route);
        expect(text).toContain(`${route.id} (${price === undefined ? 'free' : `$${price}`})`);
      }
    }
  });

  it.each(definitions)('$name says when to use it, and harms nothing', (definition) => {
    expect(definition.description).toMatch(/\nUse .+\.$/s);
    expect(definition.annotations).toEqual({ readOnlyHint: true });
  });

  it('sends to no tool that is not there', () => {
    const names = new Set(definitions.map(({ name }) => name));
    const named = tools.flatMap(({ theme }) => [...(theme.not ?? '').matchAll(/\((\w+)\)/g)]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, name]) => name).filter((name) => !names.has(name ?? ''))).toEqual([]);
  });

  it.each(tools)('$theme.name: names, types and short choices of what it takes', ({ theme, input }) => {
    const listed = definitions.find(({ name }) => name === theme.name)?.inputSchema;
    const full = Object.entries(input.properties as Record<string, Record<string, unknown>>);
    const isShort = (name: string, words: unknown): boolean =>
      name !== 'product' && Array.isArray(words) && words.length <= 3 && typeof words[0] === 'string';
    const expected = full.map(([name, { type, enum: words }]) => [
      name,
      isShort(name, words) ? { type, enum: words } : { type },
    ]);
    const properties = Object.fromEntries(expected);
    expect(listed).toEqual({ type: 'object', properties, required: input.required });
  });

  it.each(tools.flatMap((tool) => tool.routes.map((route) => ({ id: route.id, tool, route }))))(
    'takes for $id what the product takes, within the same bounds',
    ({ tool, route }) => {
      const properties = tool.input.properties as Record<string, Record<string, unknown>>;
      const required = (tool.input.required ?? []) as string[];
      const parameters = parametersOf(route);
      const expected = (
        name: string,
        bound: 'type' | 'enum' | 'minimum' | 'maximum' | 'format' | 'default',
      ) => (bound === 'default' ? tool.theme.presets?.[name] : undefined) ?? parameters.get(name)?.[bound];
      for (const name of parameters.keys()) {
        for (const bound of ['type', 'enum', 'maximum', 'format', 'default'] as const)
          expect([name, bound, properties[name]?.[bound]]).toEqual([name, bound, expected(name, bound)]);
        const least = expected(name, 'minimum');
        const said = least === 0 || least === 1 ? undefined : least;
        expect([name, properties[name]?.minimum]).toEqual([name, said]);
      }
      const all = tool.routes.map((each) => parametersOf(each));
      const always = required.filter((name) => name !== 'product');
      expect(always.every((name) => all.every((each) => each.get(name)?.required))).toBe(true);
      if (tool.routes.length === 1) {
        expect(Object.keys(properties).sort()).toEqual([...parameters.keys(), 'max_tokens'].sort());
        expect(always).toEqual([...parameters].filter(([, one]) => one.required).map(([name]) => name));
      }
    },
  );
});

describe('the parameters of a tool of several products', () => {
  const several = tools.filter(({ routes }) => routes.length > 1);

  it.each(several)('$theme.name: named of each what it needs, is of, or has alone', (tool) => {
    const text = definitions.find(({ name }) => name === tool.theme.name)?.description ?? '';
    let before = '';
    for (const route of tool.routes) {
      const line = text.split('\n').find((each) => each.startsWith(`${route.id} (`)) ?? '';
      const words = / Takes (.+)\.$/.exec(line)?.[1] ?? '';
      const list = words === 'the same' ? before : words;
      before = list;
      const said = new Set(list.split(' ').filter((name) => name !== ''));
      const parameters = parametersOf(route);
      for (const name of said) expect([...parameters.keys()]).toContain(name.replace('*', ''));
      const always = new Set(tool.input.required as readonly string[]);
      const needed = [...parameters].filter(([name, { required }]) => required && !always.has(name));
      expect([...said].filter((name) => name.endsWith('*'))).toEqual(needed.map(([name]) => `${name}*`));
      const takers = (name: string) => tool.routes.filter((each) => parametersOf(each).has(name)).length;
      const named = [...said].map((name) => name.replace('*', ''));
      for (const [name, { required }] of parameters) {
        const isSubject = ['ticker', 'symbol', 'venue'].includes(name) && takers(name) < tool.routes.length;
        if (isSubject && !required) expect(named).toContain(name);
        const isCommon = ['venues', 'exclude', 'quote', 'canonical_id', 'as_of'].includes(name);
        if (takers(name) === 1 && !isCommon && !always.has(name)) expect(named).toContain(name);
      }
    }
  });

  const foreign = several.flatMap((tool) =>
    tool.routes.flatMap((route) =>
      tool.routes.flatMap((other) =>
        [...parametersOf(other)].flatMap(([name, { default: preset, example }]) =>
          parametersOf(route).has(name) ? [] : [{ tool, route, other, name, preset, example }],
        ),
      ),
    ),
  );

  it('of a sibling: ignored at its default, else refused with its taker', () => {
    expect(foreign.length).toBeGreaterThan(50);
    for (const { tool, route, other, name, preset } of foreign) {
      const given = [...parametersOf(route)].flatMap(([own, { required, example }]) =>
        required ? [[own, example ?? 'BTC']] : [],
      );
      const args = { product: route.id, ...Object.fromEntries(given) };
      const refused = urlOf(tool, { ...args, [name]: 'qqq' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'unknown_parameter' } });
      expect(refused.ok ? '' : refused.error.detail).toContain(other.id);
      for (const value of [preset, tool.theme.presets?.[name]])
        if (value !== undefined) expect(urlOf(tool, { ...args, [name]: value })).toEqual(urlOf(tool, args));
    }
  });

  it('a scan without limit: ten rows', () => {
    for (const tool of tools) {
      for (const route of tool.routes) {
        if (route.queryParameters.get('limit')?.default !== 50) continue;
        const made = urlOf(tool, { product: route.id });
        expect([route.id, made.ok && made.value.url]).toEqual([route.id, `${route.path}?limit=10`]);
      }
    }
  });
});

/** A result: of its product, with its data, or a request for payment, or a problem. */
const SHAPE = {
  type: 'object',
  anyOf: [{ required: ['product', 'notice', 'data'] }, { required: ['accepts'] }, { required: ['code'] }],
} as const;

describe('the answers of tools', () => {
  const answered = tools.flatMap((tool) =>
    tool.routes.flatMap(({ id, example }) => (example === undefined ? [] : [{ id, tool, ...example }])),
  );

  it.each(answered)('of $id: the shape that docs/mcp.md states', ({ id, answer }) => {
    const reply = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
    const { structuredContent, content } = toolResult(reply, id);
    const schema = Schema.Compile(SHAPE);
    expect(schema.Check(structuredContent)).toBe(true);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    expect(schema.Check({ product: id })).toBe(false);
  });

  it('of problems keep it too, and say when to come back', () => {
    const { structuredContent, isError } = toolResult(
      renderProblem({ code: 'rate_limited', detail: 'Later.', retryAfterSeconds: 7 }),
      'perp-basis',
    );
    expect([isError, structuredContent]).toMatchObject([
      true,
      { code: 'rate_limited', retry_after_seconds: 7 },
    ]);
    expect(Schema.Compile(SHAPE).Check(structuredContent)).toBe(true);
  });
});

describe('arguments', () => {
  const tool = (name: string) => {
    const found = tools.find(({ theme }) => theme.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  it.each(tools.flatMap((tool) => tool.routes.map((route) => ({ id: route.id, one: tool, route }))))(
    'of the example of $id ask the address of its example',
    ({ one, route }) => {
      const { example } = route;
      if (example === undefined) return;
      const given = [...parametersOf(route)].flatMap(([name, { example: value }]) =>
        value === undefined ? [] : [[name, value]],
      );
      const made = urlOf(one, { product: route.id, ...Object.fromEntries(given) });
      const wanted = new URL(example.request, BASE_URL);
      const got = new URL(made.ok ? made.value.url : '', BASE_URL);
      expect([got.pathname, Object.fromEntries(got.searchParams)]).toEqual([
        wanted.pathname,
        Object.fromEntries(wanted.searchParams),
      ]);
    },
  );

  it.each([
    ['order_book', { product: 'orderbook-top', venue: 'binance' }, 'missing_parameter'],
    ['order_book', { product: 'perp-basis' }, 'invalid_parameter'],
    ['order_book', { product: ['orderbook-top'] }, 'invalid_parameter'],
    ['market_snapshot', { ticker: { a: 1 } }, 'invalid_parameter'],
    ['backtest_data', { format: 'csv' }, 'invalid_parameter'],
    ['backtest_data', { time: 'excel' }, 'invalid_parameter'],
  ])('of %s that make no question are refused: %j', (name, args, code) => {
    const made = urlOf(tool(name), args);
    expect(made.ok ? made.value : made.error.code).toBe(code);
  });

  it('of more than 64 names are refused without reading a value', () => {
    let read = 0;
    const given = (count: number) =>
      new Proxy(Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i])), {
        get: (target, name) => {
          read += 1;
          return Reflect.get(target, name);
        },
      });
    const made = urlOf(tool('market_snapshot'), given(65));
    expect(made).toMatchObject({
      ok: false,
      error: { code: 'invalid_parameter', errors: [{ parameter: 'x64' }] },
    });
    expect(read).toBe(0);
    expect(urlOf(tool('market_snapshot'), given(64))).toMatchObject({ ok: true });
  });

  it('cannot leave their place in the path', () => {
    const made = urlOf(tool('order_book'), { product: 'orderbook-top', venue: '../..', symbol: 'a/b?c#d' });
    expect(made).toMatchObject({ value: { url: '/v1/orderbook/..%2F../a%2Fb%3Fc%23d/top' } });
  });
});

it('the module imports only the outer forms of payments', () => {
  const folder = new URL('../../src/modules/mcp/', import.meta.url);
  const imports = readdirSync(folder).flatMap((name) => [
    ...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '\.\.\/\.\.\/pay\/([\w-]+)\.ts'/g),
  ]);
  const known = new Set(imports.map(([, name]) => name));
  expect([...known].sort()).toEqual(['bazaar', 'discovery', 'limiter', 'types']);
});

describe('products of modules', () => {
  const placed = (place: ToolPlace) => themesWith(new Map([['hello', place]]));

  it('one that joins a tool: the last of its products, or the first', () => {
    expect(
      placed({ name: 'coverage' })
        .find(({ name }) => name === 'coverage')
        ?.products.at(-1),
    ).toBe('hello');
    const led = placed({ name: 'coverage', leads: true, about: 'Greets.' });
    const theme = led.find(({ name }) => name === 'coverage');
    expect([theme?.products[0], theme?.about]).toEqual(['hello', 'Greets.']);
  });

  it('one with a tool of its own: the last tool', () => {
    const words = {
      name: 'greetings',
      about: 'Greets.',
      units: '',
      use: '',
      fails: '',
    };
    expect(placed(words).at(-1)).toEqual({ ...words, products: ['hello'] });
  });

  it('one that joins a tool that is not there: an error that names both', () => {
    expect(() => placed({ name: 'nothing' })).toThrow('hello is to join the tool nothing');
  });
});
