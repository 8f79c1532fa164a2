import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { ok } from '../../domain/errors.ts';
import { defineProduct } from '../../products/define-product.ts';
import { conditionQuery, conditionSchema } from '../watch-conditions/condition.ts';
import { understand } from './asked-watch.ts';
import example from './examples/watch-check.json' with { type: 'json' };
import { stateNow, stateSchema } from './state-now.ts';

const answer = Type.Object({ condition: conditionSchema, state: stateSchema });

export const watchCheck = defineProduct({
  id: 'watch-check',
  path: '/v1/watch/check',
  access: 'free',
  summary: 'A condition tried before it is watched',
  description:
    'Reads a condition as the purchase of a watch does, and says how it was understood and whether it holds now: what is wrong with it is a 400 or 404. Free.',
  tags: ['watches'],
  dependsOn: 'second',
  revisedAt: '2026-11-29T14:00:00.000Z',
  query: Type.Object(conditionQuery),
  answer,
  example: {
    request: '/v1/watch/check?kind=funding&ticker=BTC&venue=binance&above=0.0005&reset=0.0003',
    answer: example,
  },
  find: (asked, services: Services) => understand(asked, services),
  compute: async ({ condition, question }, services) => {
    const body: Static<typeof answer> = { condition, state: await stateNow(condition, question, services) };
    return ok({ body });
  },
});
