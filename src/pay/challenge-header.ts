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
  { parameters: 4, example: 20, isUnbounded: true },
  { parameters: 2, example: 12, isUnbounded: true },
];

/** One form of the header, beside the reason and the address of the resource: JSON texts. */
interface HeaderForm {
  readonly resource: string;
  readonly accepts: readonly string[];
  readonly extensions: string | undefined;
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

/**
 * Makes ends of a route's header: with as many of the terms as so many bytes have room for; undefined where not even the least
 * leaves room. All rooms share the JSON texts of the route.
 */
export function headerEnds(
  seller: Seller,
  route: ProtectedRoute,
  terms: HeaderTerms,
): (room: number) => HeaderEnd | undefined {
  const longest = route.pathParams === undefined ? route.path : '/'.repeat(MAX_PATH_LENGTH);
  const parts = partsOf(seller, route, terms.all);
  return (room) => {
    for (const form of formsOf(parts, terms)) {
      const end = endOf(form);
      const text = headerText(LONGEST_REASON, seller.baseUrl + longest, end);
      if (base64Length(Buffer.byteLength(text)) <= room) return { end, count: form.accepts.length };
    }
    return undefined;
  };
}

const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

type MakeBazaar = (route: ProtectedRoute) => object;

/**
 * Parts of all forms as JSON texts. A service tries some hundred forms of each route at its start, so each part is written once.
 */
interface Parts {
  /** Descriptions of the resource, from the longest to the shortest. */
  readonly resource: { readonly full: string; readonly brief: string; readonly least: string };
  /** Extensions with the bazaar's as this makes it. */
  readonly listed: (bazaar: MakeBazaar) => string;
  readonly identifier: string;
  /** The first entry with all fields of the interface's table. */
  readonly entry: (brevity: Brevity) => string;
  /** Each entry by its terms alone. */
  readonly terms: readonly string[];
}

function partsOf(seller: Seller, route: ProtectedRoute, all: readonly CoreRequirement[]): Parts {
  const { serviceName, iconUrl } = seller;
  const description = shortText(route.description, DESCRIPTION_LENGTH);
  const brief = { description, serviceName };
  const identifier = { 'payment-identifier': PAYMENT_IDENTIFIER_DECLARATION };
  const [first] = all;
  return {
    resource: {
      full: resourceText({ ...brief, tags: route.tags, iconUrl }),
      brief: resourceText(brief),
      least: resourceText({ description }),
    },
    listed: once((bazaar: MakeBazaar) => JSON.stringify({ bazaar: bazaar(route), ...identifier })),
    identifier: JSON.stringify(identifier),
    entry: once((brevity: Brevity) =>
      first === undefined ? '' : JSON.stringify(acceptsEntry(first, seller, briefRoute(route, brevity))),
    ),
    terms: all.map((terms) => JSON.stringify(coreEntry(terms))),
  };
}

const resourceText = (said: object): string => JSON.stringify({ ...said, mimeType: MIME_TYPE });
const NOTHING_SAID = resourceText({});

/** Makes a text at its first use, one for each key. */
function once<Key>(make: (key: Key) => string): (key: Key) => string {
  const made = new Map<Key, string>();
  return (key) => {
    const text = made.get(key) ?? make(key);
    made.set(key, text);
    return text;
  };
}

function* formsOf(parts: Parts, { all, needed, known }: HeaderTerms): Generator<HeaderForm> {
  for (let count = all.length; count >= needed; count--) yield* headerForms(parts, count);
  yield barest(parts, needed);
  if (known === needed) return;
  yield* headerForms(parts, known);
  yield barest(parts, known);
}

function endOf({ resource, accepts, extensions }: HeaderForm): string {
  const tail = extensions === undefined ? '' : `,"extensions":${extensions}`;
  return `,${resource.slice(1)},"accepts":[${accepts.join(',')}]${tail}}`;
}

/** The value of the header. */
export const headerValue = (reason: string, url: string, end: string): string =>
  Buffer.from(headerText(reason, url, end)).toString('base64');

const headerText = (reason: string, url: string, end: string): string =>
  `{"x402Version":2,"error":${JSON.stringify(reason)},"resource":{"url":${JSON.stringify(url)}${end}`;

/**
 * Forms of the header with so many terms, from the longest to the shortest; the first that fits is taken. The first entry of
 * each has all fields of the interface's table. The terms of further schemes and networks stand alone behind it.
 */
function* headerForms(
  { resource: { full, brief, least }, listed, identifier, entry, terms }: Parts,
  count: number,
): Generator<HeaderForm> {
  if (count === 0 || terms.length === 0) return;
  const behind = terms.slice(1, count);
  const entriesOf = (brevity: Brevity) => [entry(brevity), ...behind];
  const whole = entriesOf(WHOLE);
  yield { resource: full, accepts: whole, extensions: listed(bazaarExtension) };
  yield { resource: full, accepts: whole, extensions: listed(bazaarInput) };
  yield { resource: brief, accepts: whole, extensions: listed(bazaarBrief) };
  yield { resource: full, accepts: whole, extensions: identifier };
  yield { resource: brief, accepts: whole, extensions: identifier };
  for (const brevity of SHORTER)
    yield { resource: brief, accepts: entriesOf(brevity), extensions: identifier };
  for (const brevity of SHORTER)
    yield { resource: least, accepts: entriesOf(brevity), extensions: undefined };
  for (const brevity of SHORTEST)
    yield { resource: NOTHING_SAID, accepts: entriesOf(brevity), extensions: undefined };
}

/** Terms alone, for base addresses that leave no room for all fields of the interface's table. */
const barest = ({ terms }: Parts, count: number): HeaderForm => ({
  resource: NOTHING_SAID,
  accepts: terms.slice(0, count),
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
