import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { ASSET_CLASSES } from '../../domain/instrument.ts';
import { oneOf } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import { bundled, bundleFields, isUnanswered, type PlannedBundle, planBundle } from './bundle.ts';
import example from './examples/bundles-matrix.json' with { type: 'json' };
import { beginPart, type MadePart, planPart } from './part.ts';
import { MATRIX_ROUTES, tablePath } from './paths.ts';

/** A table of more pages than these is not read. */
const MOST_PAGES = 40;

const query = Type.Object({
  asset_class: Type.Optional(oneOf(ASSET_CLASSES, { description: 'Only assets of this class' })),
});

const answer = Type.Object(bundleFields(MATRIX_ROUTES));

export const bundlesMatrix = defineProduct({
  id: 'bundles-matrix',
  path: '/v1/bundles/matrix',
  access: 'paid',
  summary: 'All funding rates',
  description:
    'The whole table of current funding, every asset on every venue with means of past payments, bought at once for less than its pages: each part is a whole page of /v1/funding/current, all of one moment, so that no row is on two of them or on none.',
  tags: ['bundle', 'funding', 'perpetual-futures', 'market-data'],
  dependsOn: 'table',
  revisedAt: '2026-11-29T18:10:00.000Z',
  query,
  answer,
  example: { request: '/v1/bundles/matrix?asset_class=index', answer: example },
  find: ({ asset_class }: Static<typeof query>, services: Services) =>
    planBundle(tablePath(0, asset_class), [], services),
  compute: ({ main }: PlannedBundle, services: Services, { asset_class }) => {
    const pages = [beginPart(main, services.clock)];
    for (let page = 1; page < MOST_PAGES; page++) {
      const next = beginPart(planPart(tablePath(page, asset_class), services), services.clock);
      if (isBehindLast(next)) break;
      pages.push(next);
    }
    return bundled({}, pages);
  },
});

/** True of a page without rows, which is refused at once. A page that is away or has failed is a part, by which the bundle is refused. */
const isBehindLast = (part: MadePart | Promise<MadePart>): boolean =>
  !(part instanceof Promise) && !part.result.ok && !isUnanswered(part.result.error);
