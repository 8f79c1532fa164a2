import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../modules/routes.ts';
import { NamedSchemas } from './named-schemas.ts';
import { plain } from './plain-schema.ts';
import { ANSWER, singular, typeName } from './schema-names.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function namedBy(routes: typeof ROUTES): NamedSchemas {
  const named = new NamedSchemas();
  for (const { id, answer } of routes) named.add(plain(answer), [typeName(id), ANSWER]);
  return named;
}

describe('names of the schemas of a document', () => {
  it('an object in a list: by the operation and one of its entries', () => {
    const named = new NamedSchemas();
    const schema = object({ opportunities: { type: 'array', items: object({ ticker: text }) } });
    expect(named.add(schema, ['Signal'])).toEqual(ref('Signal'));
    expect(named.all).toEqual({
      Signal: object({ opportunities: { type: 'array', items: ref('SignalOpportunity') } }),
      SignalOpportunity: object({ ticker: text }),
    });
  });

  it('the same under one field twice: one name; another: a longer one', () => {
    const named = new NamedSchemas();
    const leg = (terms: object) => object({ terms });
    const same = leg(object({ lot: text }));
    named.add(object({ short: same, long: same, third: leg(object({ tick: text })) }), ['Pair']);
    expect(Object.keys(named.all)).toEqual([
      'Pair',
      'PairShort',
      'PairTerms',
      'PairLong',
      'PairThird',
      'PairThirdTerms',
    ]);
  });

  it('may be null: null is an alternative, and the description stays', () => {
    const named = new NamedSchemas();
    const worst = { type: ['object', 'null'], description: 'The worst', properties: { at: text } };
    named.add(object({ worst }), ['Quality']);
    expect(named.all.Quality).toEqual(
      object({ worst: { description: 'The worst', oneOf: [ref('QualityWorst'), { type: 'null' }] } }),
    );
    expect(named.all.QualityWorst).toMatchObject({ type: 'object' });
  });

  it('an object of any fields: stays where it is', () => {
    const named = new NamedSchemas();
    const reasons = { type: 'object', additionalProperties: text };
    expect(named.add(object({ reasons }), ['Row'])).toEqual(ref('Row'));
    expect(named.all).toEqual({ Row: object({ reasons }) });
  });

  it('a name that a parameter has: more of the way is in the name', () => {
    const named = new NamedSchemas(new Set(['PairShort']));
    named.add(object({ short: object({ venue: text }) }), ['Pair', ANSWER]);
    expect(Object.keys(named.all)).toEqual(['PairAnswer', 'PairAnswerShort']);
  });

  it('two schemas that could only have one name: a fault', () => {
    const named = new NamedSchemas();
    named.add(object({ a: text }), ['Row']);
    expect(() => named.add(object({ b: text }), ['Row'])).toThrow('two schemas are named Row');
  });

  it('operations in any order, or fewer of them: the same names', () => {
    const names = Object.keys(namedBy(ROUTES).all);
    expect(names.length).toBeGreaterThan(200);
    expect(Object.keys(namedBy([...ROUTES].reverse()).all).sort()).toEqual(names.sort());
    const fewer = Object.keys(namedBy(ROUTES.filter((_, i) => i % 2 === 0)).all);
    expect(names).toEqual(expect.arrayContaining(fewer));
  });
});

it.each([
  ['opportunities', 'opportunity'],
  ['venues', 'venue'],
  ['indexes', 'index'],
  ['losses', 'loss'],
  ['series', 'series'],
  ['progress', 'progress'],
])('%s: one of them is %s', (list, entry) => {
  expect(singular(list)).toBe(entry);
});
