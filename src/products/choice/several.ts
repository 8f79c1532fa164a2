import Type, { type TSchema } from 'typebox';
import { upperAscii } from '../../domain/ascii-case.ts';
import { badParameter, type ErrorCode, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { listParameter, wordsOf } from '../answer/list-parameter.ts';
import type { RenderedAnswer, Sources } from '../answer/product-answer.ts';
import { integer, text } from '../answer/schema.ts';
import type { Plan, Product } from '../define-product.ts';
import { countFault, inList } from './market-choice.ts';

/** Characters of one name. */
const LONGEST_NAME = 64;
/** Failures that are of an asset's data, and not of its name: the others of the list can still be answered. */
const OF_DATA: ReadonlySet<ErrorCode> = new Set(['not_ready', 'not_listed', 'no_data', 'single_venue']);

const unanswered = Type.Array(
  Type.Object({
    ticker: text('As it was asked for'),
    code: text('As of the error that the asset alone would be answered with'),
    detail: text('Why it has no answer'),
  }),
  { description: 'Assets that have no answer at the moment' },
);

/** The answer about several assets: one for each that has one, as it would be asked for alone. */
export const severalSchema = (answer: TSchema) =>
  Type.Object({
    count: integer('Assets that are answered', 1),
    answers: Type.Array(answer, { description: 'One for each asset, in the order of the list' }),
    unanswered,
  });

/**
 * A product about one asset that also takes up to 20, with commas: then it answers for each as it would for it alone. A name
 * that is not understood fails all; an asset without data is named. One name without a comma is answered as ever.
 */
export function severally<P>(product: Product<P>): Product<P> {
  const isInPath = 'symbol' in product.params.properties;
  const name = isInPath ? 'symbol' : 'ticker';
  const parameter = listParameter(
    'Base asset or up to 20, with commas, any case: BTC. A canonical_id (crypto:BTC) or a perp suffix (BTC-PERP) also works',
    { examples: ['BTC'] },
  );
  const { query, params } = product;
  return {
    ...product,
    query: isInPath ? query : Type.Object({ ...query.properties, ticker: parameter }),
    params: isInPath ? Type.Object({ ...params.properties, symbol: parameter }) : params,
    several: severalSchema(product.answer),
    plan: (asked, ports) => {
      const list = String(asked[name]);
      const words = [...new Map(wordsOf(list).map((word) => [upperAscii(word), word])).values()];
      const wrong = nameFault(name, list, words) ?? countFault(name, words);
      if (wrong !== undefined) return fail(wrong);
      if (!list.includes(',')) return product.plan(asked, ports);
      if (asked.canonical_id !== undefined)
        return fail(
          badParameter('canonical_id', `is of one asset; with several, ${name} takes canonical ids`),
        );
      return planOfEach(words, name, (word) => product.plan({ ...asked, [name]: word }, ports));
    },
  };
}

function nameFault(parameter: string, list: string, words: readonly string[]): Failure | undefined {
  const names = list.includes(',') ? words : [list];
  if (names.every(({ length }) => length <= LONGEST_NAME)) return undefined;
  return badParameter(parameter, `must have at most ${LONGEST_NAME} characters`);
}

/** An asset of the list, with what becomes of it. */
interface Part {
  readonly ticker: string;
  readonly plan: Result<Plan>;
}

function planOfEach(
  words: readonly string[],
  parameter: string,
  planOf: (word: string) => Result<Plan>,
): Result<Plan> {
  const parts: Part[] = [];
  for (const ticker of words) {
    const plan = planOf(ticker);
    if (!plan.ok && !OF_DATA.has(plan.error.code)) return fail(inList(plan.error, parameter, words, ticker));
    parts.push({ ticker, plan });
  }
  const plans = parts.flatMap(({ plan }) => (plan.ok ? [plan.value] : []));
  const [first] = parts;
  if (plans.length === 0 && first?.plan.ok === false) return first.plan;
  return ok({
    books: () => plans.flatMap(({ books }) => books?.() ?? []),
    produce: () => produceEach(parts),
  });
}

async function produceEach(parts: readonly Part[]): Promise<Result<RenderedAnswer>> {
  const made = await Promise.all(
    parts.map(async ({ ticker, plan }) => ({ ticker, result: plan.ok ? await plan.value.produce() : plan })),
  );
  const answers = made.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const failures = made.flatMap(({ ticker, result }) =>
    result.ok ? [] : [{ ticker, code: result.error.code, detail: result.error.detail }],
  );
  const [first] = made;
  if (answers.length === 0 && first?.result.ok === false) return first.result;
  const body = { count: answers.length, answers: answers.map(jsonOf), unanswered: failures };
  return ok({ content: { json: body }, ...lineageOf(answers) });
}

function jsonOf({ content }: RenderedAnswer): unknown {
  if ('json' in content) return content.json;
  return 'write' in content ? JSON.parse(content.write()) : null;
}

/** The lineage of several answers: as old as the oldest; of venues that one has used, none is missing. */
export function lineageOf(answers: readonly RenderedAnswer[]): Omit<RenderedAnswer, 'content'> {
  const times = answers.flatMap(({ asOf }): readonly UnixMs[] => (asOf === undefined ? [] : [asOf]));
  const of = (part: keyof Sources) =>
    new Set(answers.flatMap(({ sources }): readonly VenueId[] => sources?.[part] ?? []));
  const used = of('used');
  const answeredAsOf = answers.find((answer) => answer.answeredAsOf !== undefined)?.answeredAsOf;
  return {
    asOf: times.length === 0 ? undefined : asMs(Math.min(...times)),
    sources: { used: [...used], missing: [...of('missing')].filter((venue) => !used.has(venue)) },
    ...(answeredAsOf !== undefined && { answeredAsOf }),
  };
}
