import { badParameter, fail, ok, type Result } from '../../domain/errors.ts';
import type { NullReason } from '../answer/null-reason.ts';
import type { RenderedAnswer } from '../answer/product-answer.ts';
import type { Product } from '../define-product.ts';
import { answersAsOf } from '../history/as-of.ts';

/** Fields of a rate's row that samples do not keep. */
const NOT_STORED = ['next_funding_time', 'funding_cap', 'funding_floor'] as const;

interface Row {
  readonly null_reasons?: Readonly<Record<string, NullReason>>;
}

interface Rates {
  readonly rates: readonly (Row & Readonly<Record<string, unknown>>)[];
}

/**
 * The list of rates, also of a moment of the past: its rows are those that were sampled last by then, delisted contracts among
 * them. 400 for means of past payments beside `as_of`, since they are known of now alone.
 */
export function ratesAsOf(current: Product): Product {
  const past = answersAsOf(current, 'all');
  return {
    ...past,
    plan: (asked, ports) => {
      if (asked.as_of === undefined) return past.plan(asked, ports);
      if (asked.settled_means === true)
        return fail(badParameter('settled_means', 'is known of now alone: leave it out, or as_of'));
      const plan = past.plan(asked, ports);
      return plan.ok ? ok({ produce: async () => withReasonsOfThen(await plan.value.produce()) }) : plan;
    },
  };
}

/** Says of each field that samples do not keep that this is why it is null. */
function withReasonsOfThen(made: Result<RenderedAnswer>): Result<RenderedAnswer> {
  if (!made.ok || !('write' in made.value.content)) return made;
  const { content, basis: _kept, ...answer } = made.value;
  const body = JSON.parse(content.write()) as Rates;
  const rates = body.rates.map((row) => {
    const reasons = NOT_STORED.flatMap((name) => (row[name] === null ? [[name, 'not_stored_then']] : []));
    return { ...row, null_reasons: { ...row.null_reasons, ...Object.fromEntries(reasons) } };
  });
  return ok({ ...answer, content: { json: { ...body, rates } } });
}
