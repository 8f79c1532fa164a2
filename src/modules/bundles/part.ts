import Type, { type Static } from 'typebox';
import { jsonText, publicAnswer } from '../../api/answers/public-answer.ts';
import { Targets } from '../../api/request/target.ts';
import type { Route, Services } from '../../api/route.ts';
import { type Clock, iso } from '../../domain/clock.ts';
import { ERRORS, fail, ok, type Result } from '../../domain/errors.ts';
import { partOf } from '../../products/answer/part-of.ts';
import type { Content, RenderedAnswer } from '../../products/answer/product-answer.ts';
import { integer, nullable, text, timestamp } from '../../products/answer/schema.ts';
import type { Plan } from '../../products/define-product.ts';

const envelope = {
  path: text('The call that gives this part alone'),
  status: integer('HTTP status that the call would be answered with', 200),
  as_of: nullable(
    timestamp('Time of the oldest value in the part, as its X-Data-As-Of; null without an answer'),
  ),
  error: nullable(
    Type.Object({
      code: text('As of the error that the call would be answered with'),
      title: text('The kind of error in words'),
      detail: text('Why the part has no answer'),
    }),
  ),
};
const envelopeSchema = Type.Object(envelope);

const answer = nullable(
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'The whole answer of the call at this moment; null where it has none',
  }),
);

/** A part of a bundle. @param paths of the routes that its parts are answers of */
export const partSchema = (paths: readonly string[]) => Type.Object({ ...envelope, answer }, partOf(paths));

/** The fields of a part around its answer, which is written as the call writes it. */
type Envelope = Static<typeof envelopeSchema>;

/** A call that was understood, or the reason for which it is not served. */
export interface PlannedPart {
  readonly path: string;
  readonly planned: Result<{ readonly route: Route; readonly plan: Plan }>;
}

/** A part as it will be written. */
export interface MadePart {
  readonly path: string;
  readonly result: Result<RenderedAnswer>;
}

/** By routes: addresses are looked up in the table of the service itself. */
const tables = new WeakMap<readonly Route[], Targets>();

function targetsOf(routes: readonly Route[]): Targets {
  const known = tables.get(routes) ?? new Targets(routes);
  tables.set(routes, known);
  return known;
}

/** Reads and plans a call as the service does that call by itself. A path that it does not serve is a failure of the part. */
export function planPart(path: string, services: Services): PlannedPart {
  const target = targetsOf(services.routes).find(path);
  if (target === undefined) {
    const detail = 'This service does not answer this path.';
    return { path, planned: fail({ code: 'unknown_route', detail }) };
  }
  const { route } = target;
  const asked = target.input();
  const plan = asked.ok ? route.plan(asked.value, services) : asked;
  if (plan.ok) return { path, planned: ok({ route, plan: plan.value }) };
  return { path, planned: fail(target.helped(plan.error, (other) => route.plan(other, services))) };
}

/**
 * Begins the answer of a part in this turn of the event loop, so that its rates and books are of one moment with those of the
 * other parts. Stored history is read in turns of its own within the same request: what is written meanwhile may be in one part
 * and not in another. The answer is public as the call's own is.
 */
export function beginPart({ path, planned }: PlannedPart, clock: Clock): MadePart | Promise<MadePart> {
  if (!planned.ok) return { path, result: planned };
  const { route, plan } = planned.value;
  const now = clock.now();
  const said = (result: Result<RenderedAnswer>): MadePart => ({
    path,
    result: result.ok ? ok(publicAnswer(route, result.value, { now: () => now })) : result,
  });
  const made = plan.produce();
  return made instanceof Promise ? made.then(said) : said(made);
}

/** The JSON of a part, with its answer byte for byte as the call alone is answered. */
export function partText({ path, result }: MadePart): string {
  if (!result.ok) {
    const { status, title } = ERRORS[result.error.code];
    const { code, detail } = result.error;
    const failed: Envelope = { path, status, as_of: null, error: { code, title, detail } };
    return `${JSON.stringify(failed).slice(0, -1)},"answer":null}`;
  }
  const { asOf, content } = result.value;
  const made: Envelope = { path, status: 200, as_of: asOf === undefined ? null : iso(asOf), error: null };
  return `${JSON.stringify(made).slice(0, -1)},"answer":${textOf(content)}}`;
}

/** No part is a file: none asks for a format. */
const textOf = (content: Content): string => ('bytes' in content ? 'null' : jsonText(content));
