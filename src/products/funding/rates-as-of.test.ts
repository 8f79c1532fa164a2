import { describe, expect, it } from 'vitest';
import { stored } from '../../history/store.ts';
import { makeMarket } from '../../market/market-fixture.ts';
import { FIXTURE_NOW, makeRow } from '../../market/row-fixture.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { Ports } from '../define-product.ts';
import { fundingCurrent } from '../funding-current.ts';

const THEN = new Date(FIXTURE_NOW).toISOString();

/** A service that lists BTC now, and has stored rows of BTC and of LUNA, which has been delisted since. */
async function ask(further: Readonly<Record<string, unknown>>) {
  const fixture = makeMarket();
  fixture.list('binance', ['BTC']);
  fixture.list('bybit', ['BTC']);
  fixture.pass(HOUR_MS);
  fixture.quote('binance', { symbol: 'BTCUSDT', mark: 90_000, rate: 0.0005, interval: 8 });
  const past = { next: undefined, rate: 0.0001 };
  const rows = [makeRow(past), makeRow({ ...past, ticker: 'LUNA', mark: 2 })];
  const history = { reader: { historicalRows: async () => stored(rows) } };
  const ports = { market: fixture.market.view, clock: { now: fixture.now }, history } as unknown as Ports;
  const asked = {
    limit: 100,
    offset: 0,
    fresh: false,
    include_uncomparable: false,
    settled_means: false,
    ...further,
  };
  const plan = fundingCurrent.plan(asked, ports);
  const made = plan.ok ? await plan.value.produce() : plan;
  return made.ok ? made.value : made.error;
}

const bodyOf = (made: Awaited<ReturnType<typeof ask>>) => {
  if (!('content' in made)) throw new Error(JSON.stringify(made));
  const { content } = made;
  return 'json' in content ? content.json : 'write' in content ? JSON.parse(content.write()) : undefined;
};

describe('rates of a moment', () => {
  it('the rows that were stored by then, a delisted asset among them', async () => {
    const made = await ask({ as_of: THEN });
    expect(made).toMatchObject({ answeredAsOf: FIXTURE_NOW });
    expect(bodyOf(made)).toMatchObject({
      total: 2,
      rates: [
        { symbol: 'BTC', rate: 0.0001, next_funding_time: null },
        {
          symbol: 'LUNA',
          null_reasons: { next_funding_time: 'not_stored_then', funding_cap: 'not_stored_then' },
        },
      ],
    });
  });

  it('no moment: the rows of now', async () => {
    expect(bodyOf(await ask({}))).toMatchObject({ total: 1, rates: [{ symbol: 'BTC', rate: 0.0005 }] });
  });

  it('within the process: the body that the text states, renamed or not', async () => {
    for (const symbol of ['BTC', 'XBT', undefined]) {
      const made = await ask({ symbol });
      const content = 'content' in made ? made.content : undefined;
      if (content === undefined || !('write' in content)) throw new Error(JSON.stringify(made));
      expect(content.body?.()).toEqual(JSON.parse(content.write()));
      expect(Object.keys(content.body?.() ?? {})).toEqual(Object.keys(JSON.parse(content.write())));
    }
  });

  it('means of past payments beside a moment: a 400', async () => {
    expect(await ask({ as_of: THEN, settled_means: true })).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'settled_means' }],
    });
  });

  it('a moment that is still to come: a 400', async () => {
    expect(await ask({ as_of: '2030-01-01T00:00:00Z' })).toMatchObject({ errors: [{ parameter: 'as_of' }] });
  });
});
