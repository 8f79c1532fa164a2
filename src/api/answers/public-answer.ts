import type { Clock } from '../../domain/clock.ts';
import type { Content, RenderedAnswer } from '../../products/answer/product-answer.ts';
import { publicNumbers } from '../../products/answer/public-numbers.ts';
import { answersData } from '../../products/define-product.ts';
import type { Route } from '../route.ts';

/** Data as it leaves: with public numbers, and a time, which is now for facts about venues. */
export function publicAnswer(
  route: Pick<Route, 'dependsOn'>,
  result: RenderedAnswer,
  clock: Clock,
): RenderedAnswer {
  if (!answersData(route)) return result;
  const { answeredAsOf = clock.now(), asOf = answeredAsOf, content } = result;
  return { ...result, asOf, content: 'json' in content ? { json: publicNumbers(content.json) } : content };
}

/** The text of an answer in JSON. */
export const jsonText = (content: Exclude<Content, { readonly bytes: Buffer }>): string =>
  'write' in content ? content.write() : JSON.stringify(content.json);
