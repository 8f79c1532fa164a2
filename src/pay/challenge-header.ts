import { bazaarBrief, bazaarExtension, bazaarInput, PAYMENT_IDENTIFIER_DECLARATION } from './bazaar.ts';
import { LONGEST_REASON } from './reasons.ts';
import { acceptsEntry, type CoreRequirement, coreEntry, MIME_TYPE } from './requirement.ts';
import type { Seller } from './seller.ts';
import { shortText } from './short-text.ts';
import { tinyExample } from './tiny-example.ts';
import type { ProtectedRoute } from './types.ts';

export const CHALLENGE_HEADER = 'payment-required';

/**
 * Bytes that the header's value may take. Common proxies hold the whole header block of a response in four KiB,
 * and answer 502 where it is longer; all of ours stay below 3,900 bytes. The other headers of a challenge take up
 * to 579 bytes, the two receipts of a refused settlement up to 740 more: they carry the longest reason and
 * network name twice.
 */
export const HEADER_ROOM = { asked: 3_320, refused: 2_580 } as const;

/** A longer path of a request is not repeated in its challenge. */
export const MAX_PATH_LENGTH = 120;
/** Of a route in `accepts`, characters; the body and the catalog have it whole. */
const DESCRIPTION_LENGTH = 90;

/** The parts of a route's description that a header has. */
interface Brevity {
  /** Characters of each parameter's description. */
  readonly parameters: number;
  /** Bytes of the example answer. */
  readonly example: number;
  /** True where bounds and formats of parameters are left to the body, too. */
  readonly isUnbounded?: boolean;
}

const WHOLE: Brevity = { parameters: Number.POSITIVE_INFINITY, example: 320 };
const SHORTER: readonly Brevity[] = [
  { parameters: DESCRIPTION_LENGTH, example: 160 },
  { parameters: 60, example: 120 },
  { parameters: 40, example: 80 },
  { parameters: 24, example: 80 },
  { parameters: 16, example: 60 },
  { parameters: 12, example: 60 },
  { parameters: 8, example: 40, isUnbounded: true },
];
const SHORTEST: readonly Brevity[] = [
  { parameters: 12, example: 60 },
  { parameters: 8, example: 40 },
  { parameters: 6, example: 20, isUnbounded: true },
];

/** One form of the header, beside the reason and the address of the resource. */
interface HeaderForm {
  readonly resource: object;
  readonly accepts: readonly object[];
  readonly extensions: object | undefined;
}

/** Terms of a challenge in the order in which they give way, the last first. */
export interface HeaderTerms {
  readonly all: readonly CoreRequirement[];
  /** So many of them stand before the description of the route gives way to the terms alone. */
  readonly needed: number;
  /** So many of them never give way. */
  readonly known: number;
}

/** The end of a challenge's JSON text, after the resource's URL, and the number of its terms. */
export interface HeaderEnd {
  readonly end: string;
  readonly count: number;
}

/** The end of a header with as many of the terms as there is room for; undefined where not even the least leaves room. */
export function headerEnd(
  seller: Seller,
  route: ProtectedRoute,
  terms: HeaderTerms,
  room: number,
): HeaderEnd | undefined {
  const longest = route.pathParams === undefined ? route.path : '/'.repeat(MAX_PATH_LENGTH);
  for (const form of formsOf(seller, route, terms)) {
    const end = endOf(form);
    if (headerValue(LONGEST_REASON, seller.baseUrl + longest, end).length <= room)
      return { end, count: form.accepts.length };
  }
  return undefined;
}

function* formsOf(
  seller: Seller,
  route: ProtectedRoute,
  { all, needed, known }: HeaderTerms,
): Generator<HeaderForm> {
  for (let count = all.length; count >= needed; count--)
    yield* headerForms(seller, route, all.slice(0, count));
  yield barest(all.slice(0, needed));
  if (known === needed) return;
  yield* headerForms(seller, route, all.slice(0, known));
  yield barest(all.slice(0, known));
}

function endOf({ resource, accepts, extensions }: HeaderForm): string {
  const rest = JSON.stringify({ ...resource, mimeType: MIME_TYPE }).slice(1);
  const tail = JSON.stringify({ accepts, ...(extensions !== undefined && { extensions }) });
  return `,${rest},${tail.slice(1)}`;
}

/** The value of the header. */
export function headerValue(reason: string, url: string, end: string): string {
  const text = `{"x402Version":2,"error":${JSON.stringify(reason)},"resource":{"url":${JSON.stringify(url)}${end}`;
  return Buffer.from(text).toString('base64');
}

/**
 * Forms of the header, from the longest to the shortest; the first that fits is taken. The first entry of each has all fields of
 * the interface's table. The terms of further schemes and networks stand alone behind it.
 */
function* headerForms(
  seller: Seller,
  route: ProtectedRoute,
  [first, ...others]: readonly CoreRequirement[],
): Generator<HeaderForm> {
  if (first === undefined) return;
  const { serviceName, iconUrl } = seller;
  const description = shortText(route.description, DESCRIPTION_LENGTH);
  const brief = { description, serviceName };
  const full = { ...brief, tags: route.tags, iconUrl };
  const identifier = { 'payment-identifier': PAYMENT_IDENTIFIER_DECLARATION };
  const behind = others.map(coreEntry);
  const entriesOf = (brevity: Brevity) => [
    acceptsEntry(first, seller, briefRoute(route, brevity)),
    ...behind,
  ];
  const whole = entriesOf(WHOLE);
  yield { resource: full, accepts: whole, extensions: { bazaar: bazaarExtension(route), ...identifier } };
  yield { resource: full, accepts: whole, extensions: { bazaar: bazaarInput(route), ...identifier } };
  yield { resource: brief, accepts: whole, extensions: { bazaar: bazaarBrief(route), ...identifier } };
  yield { resource: full, accepts: whole, extensions: identifier };
  yield { resource: brief, accepts: whole, extensions: identifier };
  for (const brevity of SHORTER)
    yield { resource: brief, accepts: entriesOf(brevity), extensions: identifier };
  for (const brevity of SHORTER)
    yield { resource: { description }, accepts: entriesOf(brevity), extensions: undefined };
  for (const brevity of SHORTEST) yield { resource: {}, accepts: entriesOf(brevity), extensions: undefined };
}

/** Terms alone, for base addresses that leave no room for all fields of the interface's table. */
const barest = (terms: readonly CoreRequirement[]): HeaderForm => ({
  resource: {},
  accepts: terms.map(coreEntry),
  extensions: undefined,
});

/** The route as an entry of the header describes it. */
function briefRoute(route: ProtectedRoute, brevity: Brevity): ProtectedRoute {
  const { queryParams, pathParams } = route;
  return {
    ...route,
    description: shortText(route.description, DESCRIPTION_LENGTH),
    queryParams: briefParameters(queryParams, brevity),
    ...(pathParams !== undefined && { pathParams: briefParameters(pathParams, brevity) }),
    example: tinyExample(route.example, brevity.example),
  };
}

function briefParameters(
  specs: ProtectedRoute['queryParams'],
  { parameters, isUnbounded = false }: Brevity,
): ProtectedRoute['queryParams'] {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const { minimum: _, maximum: __, format: ___, ...unbounded } = spec;
      const kept = isUnbounded ? unbounded : spec;
      return [name, { ...kept, description: shortText(spec.description, parameters) }];
    }),
  );
}
