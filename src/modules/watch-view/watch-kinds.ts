import Type, { type Static } from 'typebox';
import { ok } from '../../domain/errors.ts';
import { oneOf, text } from '../../products/answer/schema.ts';
import { defineProduct } from '../../products/define-product.ts';
import type { ConditionKind } from '../watch-conditions/condition-kind.ts';
import { KIND_NAMES, type KindName, kindOf } from '../watch-conditions/kinds.ts';
import example from './examples/watch-kinds.json' with { type: 'json' };

const names = (description: string) => Type.Array(Type.String(), { description });

const row = Type.Object({
  kind: text('Its name, as kind takes it'),
  product: text('Product whose answer it reads'),
  field: text('Field of that answer'),
  unit: text('Unit of above, below and reset'),
  mode: oneOf(['level', 'change', 'state', 'event'], {
    description:
      'level: the field is above or below a value; change: it is another one; state: it is not the good one; event: a new event',
  }),
  about: oneOf(['contract', 'asset', 'venue', 'calendar'], {
    description:
      'contract: ticker and one venue; asset: two or more venues, or all; venue: one venue; calendar: an asset, a venue, or both',
  }),
  requires: names('Parameters that it cannot do without'),
  one_of: names('One of these is required; of above and below no more than one'),
  takes: names('All parameters that it takes beside kind'),
});

const SUBJECT = {
  contract: { requires: ['ticker', 'venue'], names: ['ticker', 'venue'] },
  asset: { requires: ['ticker'], names: ['ticker', 'venue'] },
  venue: { requires: ['venue'], names: ['venue'] },
  calendar: { requires: [], names: ['ticker', 'venue'] },
} as const;

/** Parameters of which a condition needs one: of a level a side, of the calendar an asset or a venue. */
function oneOfThese({ mode, about }: ConditionKind): readonly string[] {
  if (mode === 'level') return ['above', 'below'];
  return about === 'calendar' ? SUBJECT.calendar.names : [];
}

function rowOf(kind: KindName): Static<typeof row> {
  const known = kindOf(kind);
  const { product, field, unit, mode, about, takes } = known;
  const subject = SUBJECT[about];
  return {
    kind,
    product,
    field,
    unit,
    mode,
    about,
    requires: [...subject.requires],
    one_of: [...oneOfThese(known)],
    takes: [...subject.names, ...takes, 'firings', 'webhook'],
  };
}

/** The table of kinds as it is served, for who fills in a condition. */
export const watchKinds = defineProduct({
  id: 'watch-kinds',
  path: '/v1/watch/kinds',
  access: 'free',
  summary: 'Kinds of conditions that can be watched',
  description:
    'Every kind of condition with the product and field that it reads, its unit, and the parameters that it requires and takes. Free.',
  tags: ['watches'],
  dependsOn: 'document',
  revisedAt: '2026-11-29T18:00:00.000Z',
  answer: Type.Object({ kinds: Type.Array(row, { description: 'Every kind' }) }),
  example: { request: '/v1/watch/kinds', answer: example },
  compute: () => ok({ body: { kinds: KIND_NAMES.map(rowOf) } }),
});
