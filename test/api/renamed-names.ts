import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { exampleWorld } from './example-world.ts';

/** The coin of the world that was called otherwise. */
const PRESENT = 'GRAM';
const FORMER = 'TON';
const SPELLINGS = [FORMER, 'ton', 'Ton-PERP', 'crypto:TON', 'ton/usdt'];
/** The contract's letters that have to be spelled in a path. */
const inPath = encodeURIComponent;

const isPlaceholder = (segment: string): boolean => segment === '{symbol}';
const namesAsset = ({ path, query }: Route): boolean =>
  path.split('/').some(isPlaceholder) || 'ticker' in query.properties || 'symbol' in query.properties;

/** The example's request about another asset. */
function requestAbout({ path, example, query }: Route, name: string): string {
  const url = new URL(example?.request ?? path, 'http://example.invalid');
  const asked = url.pathname.split('/');
  const template = path.split('/');
  url.pathname = asked.map((part, at) => (isPlaceholder(template[at] ?? '') ? inPath(name) : part)).join('/');
  for (const parameter of ['ticker', 'symbol'])
    if (parameter in query.properties) url.searchParams.set(parameter, name);
  url.searchParams.delete('canonical_id');
  return `${url.pathname}${url.search}`;
}

/** The parts of a request that name an asset: they are read by one reader for all routes that have the same. */
const naming = ({ path, query }: Route): string =>
  [path.split('/').some(isPlaceholder), 'ticker' in query.properties, 'symbol' in query.properties].join();

/** All spellings for the first route that is named so; for each other one the plain one, and another in turn. */
function spellingsFor(routes: readonly Route[], at: number): readonly string[] {
  const [plain = FORMER, ...others] = SPELLINGS;
  const namings = routes.map(naming);
  if (namings.indexOf(namings[at] ?? '') === at) return SPELLINGS;
  return [plain, ...others.slice(at % others.length).slice(0, 1)];
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Leaves out the names that an answer repeats as they were asked for. Of a bundle the answer of its first call is looked at:
 * the calls say themselves where they were renamed. A watch keeps to the contract where one was named.
 */
function besideCalls({ condition, ...body }: Body): Body {
  if (condition !== undefined) return { ...body, condition: { ...(condition as Body), asset: undefined } };
  const { parts, count: _parts, ...rest } = body;
  if (!Array.isArray(parts)) return body;
  const { renamed: _said, ...main } = parts[0].answer;
  return { ...rest, main };
}

interface Answered {
  readonly status: number;
  readonly body: Body;
  readonly header: string | null;
}

describe('a coin asked for by its old name', () => {
  let base: string;
  beforeAll(async () => {
    base = await (await exampleWorld()).serve();
  });

  const ask = async (request: string): Promise<Answered> => {
    const response = await fetch(base + request);
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, header: response.headers.get('x-renamed') };
  };

  const routes = ROUTES.filter((route) => route.example !== undefined && namesAsset(route));

  it.each(routes.map((route, at) => ({ id: route.id, route, at })))(
    '$id answers as by the new one',
    async ({ route, at }) => {
      const present = await ask(requestAbout(route, PRESENT));
      expect(present.header).toBeNull();
      expect(present.body).not.toHaveProperty('renamed');
      for (const name of spellingsFor(routes, at)) {
        const { status, body, header } = await ask(requestAbout(route, name));
        expect(status, name).toBe(present.status);
        if (status !== 200) {
          expect(body.code, name).toBe(present.body.code);
          continue;
        }
        const { renamed, ...rest } = body;
        expect(besideCalls(rest), name).toEqual(besideCalls(present.body));
        expect(renamed, name).toEqual({
          asked: name.startsWith('crypto') ? name : FORMER,
          ticker: PRESENT,
          canonical_id: 'crypto:GRAM',
          day: '2026-06-15',
          factor: 1,
          state: 'done',
        });
        expect(header, name).toContain(`${PRESENT}; day=2026-06-15; factor=1`);
      }
    },
  );

  const withId = routes.filter(({ query }) => 'canonical_id' in query.properties);

  it.each(withId.map((route) => ({ id: route.id, route })))(
    '$id says it of an old id beside the present name',
    async ({ route }) => {
      const request = requestAbout(route, PRESENT);
      const { status, body } = await ask(
        `${request}${request.includes('?') ? '&' : '?'}canonical_id=crypto:TON`,
      );
      if (status !== 200) return expect(status).toBe((await ask(request)).status);
      expect(body.renamed).toMatchObject({
        asked: 'crypto:TON',
        ticker: PRESENT,
        canonical_id: 'crypto:GRAM',
      });
    },
  );

  it('most routes have an answer of it in this world', async () => {
    const answered = await Promise.all(routes.map((route) => ask(requestAbout(route, FORMER))));
    const without = answered.flatMap(({ status }, at) => (status === 200 ? [] : [routes[at]?.id]));
    expect(without.length, without.join(' ')).toBeLessThan(routes.length / 2);
  });

  it('a file says it in a header', async () => {
    const window = 'from=2026-11-20T08:00:00Z&to=2026-11-20T16:00:00Z&format=csv';
    const response = await fetch(
      `${base}/v1/backtest/data?venue=binance&ticker=ton&granularity=4h&${window}`,
    );
    expect(response.headers.get('x-renamed')).toBe('TON=GRAM; day=2026-06-15; factor=1');
    expect(await response.text()).toContain(PRESENT);
  });
});
