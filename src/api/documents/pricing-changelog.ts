import Type, { type Static } from 'typebox';
import { ok } from '../../domain/errors.ts';
import type { PriceSchedule } from '../../pay/prices.ts';
import { nullable, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import type { Route, Services } from '../route.ts';

const listed = Type.Object({
  id: text('Name of the product'),
  path: text('Its path'),
  summary: text('What it answers'),
});

const price = Type.Object({
  id: text('Name of the product'),
  path: text('Its path'),
  summary: text('What it answers'),
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
  free: Type.Array(listed, { description: 'Paths that cost nothing' }),
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

const listedAs = ({ id, path, summary }: Route): Static<typeof listed> => ({ id, path, summary });

export const pricingChangelog = defineProduct({
  id: 'pricing-changelog',
  path: '/v1/pricing/changelog',
  access: 'free',
  summary: 'Prices and their changes',
  description:
    'Prices in force, paths that are free, and the dated list of all price changes, with the rule that limits how far a price may rise.',
  tags: ['payments', 'prices'],
  dependsOn: 'document',
  revisedAt: '2026-11-29T18:30:00.000Z',
  answer,
  compute: (_, { payments, routes, clock }: Services) => {
    const sold = routes.filter(({ access }) => access === 'paid');
    const now = clock.now();
    const prices = sold.flatMap(({ id, path, summary }) => {
      const usd = payments.prices.priceAt(id, now)?.usd;
      return usd === undefined ? [] : [{ id, path, summary, usd }];
    });
    const free = routes.filter(({ access }) => access === 'free').map(listedAs);
    const changelog = history(payments.prices, new Map(sold.map(({ id, path }) => [id, path])));
    const json: Static<typeof answer> = { currency: 'USD', rule: RULE, prices, free, changelog };
    return ok({ content: { json } });
  },
});
