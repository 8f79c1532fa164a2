import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { PriceSchedule } from '../../pay/prices.ts';
import { nullable, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import type { Route, Services } from '../route.ts';

const price = Type.Object({
  id: text('Name of the product'),
  path: text('Its path'),
  usd: text('Price of one request'),
});

const change = Type.Object({
  id: text('Name of the product'),
  path: text('Its path'),
  previous_usd: nullable(text('Price before; null for the first price')),
  usd: text('Price from then on'),
});

const answer = Type.Object({
  currency: oneOf(['USD'], { description: 'Currency of all prices' }),
  rule: text('How far a price may rise'),
  prices: Type.Array(price, { description: 'Prices in force' }),
  changelog: Type.Array(
    Type.Object({
      effective: timestamp('From when the prices hold'),
      note: text('Why'),
      changes: Type.Array(change),
    }),
    { description: 'Changes, the latest first' },
  ),
});

const RULE =
  'A price is never more than 25 % above the lowest price of the same product during the 30 days before. For a minute after a change the previous price is accepted too.';

/** Entries with the price before each change, latest first; products that are not served are left out. */
function history(prices: PriceSchedule, paths: ReadonlyMap<string, string>) {
  const last = new Map<string, string>();
  const ordered = [...prices.changelog].sort((a, b) => Date.parse(a.effective) - Date.parse(b.effective));
  return ordered
    .map(({ effective, note, changes }) => ({
      effective,
      note,
      changes: changes.flatMap(({ id, usd }) => {
        const path = paths.get(id);
        const previous = last.get(id);
        last.set(id, usd);
        return path === undefined ? [] : [{ id, path, previous_usd: previous ?? null, usd }];
      }),
    }))
    .filter(({ changes }) => changes.length > 0)
    .reverse();
}

const servedPaths = (routes: readonly Route[]): ReadonlyMap<string, string> =>
  new Map(routes.filter(({ access }) => access === 'paid').map(({ id, path }) => [id, path]));

export const pricingChangelog = defineProduct({
  id: 'pricing-changelog',
  path: '/v1/pricing/changelog',
  access: 'free',
  summary: 'Prices and their changes',
  description:
    'Prices in force and the dated list of all price changes, with the rule that limits how far a price may rise.',
  tags: ['payments', 'prices'],
  dependsOn: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  answer,
  compute: (_, { payments, routes, clock }: Services) => {
    const paths = servedPaths(routes);
    const prices = [...paths].flatMap(([id, path]) => {
      const usd = payments.prices.priceAt(id, clock.now())?.usd;
      return usd === undefined ? [] : [{ id, path, usd }];
    });
    const json = { currency: 'USD', rule: RULE, prices, changelog: history(payments.prices, paths) };
    return ok({ content: { json } });
  },
});
