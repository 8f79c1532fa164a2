import type { ProductAnswer } from '../../analytics/product-answer.ts';
import { ok, type Result } from '../../domain/errors.ts';
import type { HandlerResult } from '../route.ts';

/** A product of `analytics` as an answer. */
export function handlerResult(product: Result<ProductAnswer<unknown>>): Result<HandlerResult> {
  if (!product.ok) return product;
  const { body, asOf, sources } = product.value;
  return ok({ content: { json: body }, asOf, sources: sources.used, missing: sources.missing });
}
