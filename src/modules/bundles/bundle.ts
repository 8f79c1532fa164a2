import Type, { type Static } from 'typebox';
import type { Services } from '../../api/route.ts';
import { badParameter, type ErrorCode, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { wordsOf } from '../../products/answer/list-parameter.ts';
import type { RenderedAnswer } from '../../products/answer/product-answer.ts';
import { integer, text } from '../../products/answer/schema.ts';
import { lineageOf } from '../../products/choice/several.ts';
import type { BookName } from '../../products/define-product.ts';
import { beginPart, type MadePart, type PlannedPart, partSchema, partText, planPart } from './part.ts';

const NOTE =
  'Parts are whole answers of the calls that they name: rates and books of one moment, stored history as read within the same request; each says itself what it leaves out. Facts and naive baselines, before costs unless a part states them: no forecast.';

const head = {
  note: text('What the parts leave out'),
  count: integer('Parts that have an answer', 1),
};
const headSchema = Type.Object(head);

/** Fields of every bundle. @param paths of the calls that its parts are answers of */
export const bundleFields = (paths: readonly string[]) => ({
  ...head,
  parts: Type.Array(partSchema(paths), { description: 'The calls of the bundle, the main one first' }),
});

/** The calls of a bundle that are known before its main part is made. */
export interface PlannedBundle {
  /** Without an answer to it there is no bundle. */
  readonly main: PlannedPart;
  readonly others: readonly PlannedPart[];
}

/** 400 of a list where one asset is asked for; it names the request of the first. The parts would each be of several. */
export function listFault(ticker: string): Failure | undefined {
  if (!ticker.includes(',')) return undefined;
  const failure = badParameter('ticker', 'names one asset: a bundle takes no list');
  const [value] = wordsOf(ticker);
  return value === undefined ? failure : { ...failure, corrections: [{ parameter: 'ticker', value }] };
}

/** Plans the calls of a bundle. Its failure is that of the main call; other calls without an answer are parts that say so. */
export function planBundle(
  main: string,
  others: readonly string[],
  services: Services,
): Result<PlannedBundle> {
  const first = planPart(main, services);
  if (!first.planned.ok) return first.planned;
  return ok({ main: first, others: others.map((path) => planPart(path, services)) });
}

/** The order books that the parts rest on. */
export const booksOf = ({ main, others }: PlannedBundle): readonly BookName[] =>
  [main, ...others].flatMap(({ planned }) => (planned.ok ? (planned.value.plan.books?.() ?? []) : []));

/** Begins further calls, which the main part has named, in the same turn of the event loop. */
export const beginParts = (
  paths: readonly string[],
  services: Services,
): readonly (MadePart | Promise<MadePart>)[] =>
  paths.map((path) => beginPart(planPart(path, services), services.clock));

/** The JSON of a part's answer, where it was made at once; undefined where it waits, or has none. */
export function bodyOf(part: MadePart | Promise<MadePart>): unknown {
  if (part instanceof Promise || !part.result.ok) return undefined;
  const { content } = part.result.value;
  return 'json' in content ? content.json : undefined;
}

/** Codes of failures that may be over when the same is asked again; a part has none of the others for good. */
const FOR_NOW: ReadonlySet<ErrorCode> = new Set(['not_ready', 'shutting_down', 'ledger_unavailable']);

/** True of a failure by which nothing is known of a part: it is away for now, or the service has failed. */
export const isUnanswered = ({ code }: Failure): boolean => FOR_NOW.has(code) || code === 'internal';

/**
 * The failure of a bundle by one of its parts that is away for now; all of them are back after the longest of their waits.
 *
 * @throws Error of a part that the service has failed to make, so that it is reported as a fault of the whole call is
 */
export function awayIn(parts: readonly MadePart[]): Failure | undefined {
  let first: Failure | undefined;
  let longest: number | undefined;
  for (const [at, { path, result }] of parts.entries()) {
    if (result.ok || !isUnanswered(result.error)) continue;
    const { code, detail, retryAfterSeconds } = result.error;
    if (code === 'internal') throw new Error(`${path}: ${detail}`);
    if (retryAfterSeconds !== undefined) longest = Math.max(longest ?? 0, retryAfterSeconds);
    const without = `${path} has no answer for now, and the bundle is not sold without it; its other parts are sold by themselves. `;
    first ??= { code, detail: at === 0 ? detail : without + detail };
  }
  return first === undefined || longest === undefined ? first : { ...first, retryAfterSeconds: longest };
}

/**
 * The answer of a bundle: what it says of itself, and all parts, the main one first. A failure of the main part is that of the
 * bundle, and so is one of another part that is away for now, so that nothing is charged.
 */
export async function bundled(
  first: Readonly<Record<string, unknown>>,
  begun: readonly (MadePart | Promise<MadePart>)[],
): Promise<Result<RenderedAnswer>> {
  const parts = await Promise.all(begun);
  const [main] = parts;
  if (main === undefined) return fail({ code: 'no_data', detail: 'The bundle has no part.' });
  const away = awayIn(parts);
  if (away !== undefined && (main.result.ok || isUnanswered(main.result.error))) return fail(away);
  if (!main.result.ok) return main.result;
  const answers = parts.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const stated: Static<typeof headSchema> = { note: NOTE, count: answers.length };
  const before = JSON.stringify({ ...first, ...stated }).slice(0, -1);
  const write = (): string => `${before},"parts":[${parts.map(partText).join(',')}]}`;
  return ok({ content: { write }, ...lineageOf(answers) });
}
