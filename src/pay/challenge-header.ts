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
}

const WHOLE: Brevity = { parameters: Number.POSITIVE_INFINITY, example: 320 };
const SHORTER: readonly Brevity[] = [
  { parameters: DESCRIPTION_LENGTH, example: 160 },
  { parameters: 60, example: 120 },
  { parameters: 40, example: 80 },
  { parameters: 24, example: 80 },
  { parameters: 16, example: 60 },
];
const SHORTEST: readonly Brevity[] = [
  { parameters: 12, example: 60 },
  { parameters: 8, example: 40 },
];

/** One form of the header, beside the reason and the address of the resource. */
interface HeaderForm {
  readonly resource: object;
  readonly accepts: readonly object[];
  readonly extensions: object | undefined;
}

/** The end of a challenge's JSON text, after the resource's URL; undefined where not even the terms alone leave room. */
export function headerEnd(
  seller: Seller,
  route: ProtectedRoute,
  terms: readonly CoreRequirement[],
  room: number,
): string | undefined {
  const longest = route.pathParams === undefined ? route.path : '/'.repeat(MAX_PATH_LENGTH);
  for (const { resource, accepts, extensions } of headerForms(seller, route, terms)) {
    const rest = JSON.stringify({ ...resource, mimeType: MIME_TYPE }).slice(1);
    const tail = JSON.stringify({ accepts, ...(extensions !== undefined && { extensions }) });
    const end = `,${rest},${tail.slice(1)}`;
    if (headerValue(LONGEST_REASON, seller.baseUrl + longest, end).length <= room) return end;
  }
  return undefined;
}

/** The value of the header. */
export function headerValue(reason: string, url: string, end: string): string {
  const text = `{"x402Version":2,"error":${JSON.stringify(reason)},"resource":{"url":${JSON.stringify(url)}${end}`;
  return Buffer.from(text).toString('base64');
}

/**
 * Forms of the header, from the longest to the shortest; the first that fits is taken. Every entry but the last
 * has all fields of the interface's table; the last is for base addresses that leave no room for them. The terms of further
 * schemes stand alone behind the first, which describes the route.
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
  yield { resource: {}, accepts: [coreEntry(first), ...behind], extensions: undefined };
}

/** The route as an entry of the header describes it. */
function briefRoute(route: ProtectedRoute, { parameters, example }: Brevity): ProtectedRoute {
  const { queryParams, pathParams } = route;
  return {
    ...route,
    description: shortText(route.description, DESCRIPTION_LENGTH),
    queryParams: briefParameters(queryParams, parameters),
    ...(pathParams !== undefined && { pathParams: briefParameters(pathParams, parameters) }),
    example: tinyExample(route.example, example),
  };
}

function briefParameters(
  specs: ProtectedRoute['queryParams'],
  length: number,
): ProtectedRoute['queryParams'] {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      { ...spec, description: shortText(spec.description, length) },
    ]),
  );
}
