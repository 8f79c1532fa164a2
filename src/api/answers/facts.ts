import type { Fact } from '../../analytics/fact.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { Facts } from '../route.ts';

/** A product of `analytics` as an answer. */
export function factsOf(product: Result<Fact<unknown>>): Result<Facts> {
  if (!product.ok) return product;
  const { body, asOf, sources } = product.value;
  return ok({ content: { json: body }, asOf, sources: sources.used, missing: sources.missing });
}
