import Type from 'typebox';
import { ok } from '../../domain/errors.ts';
import { answersData, defineProduct } from '../../products/define-product.ts';
import { SECRET_HEADER } from '../headers.ts';
import type { Declared } from '../request/declared.ts';
import type { Route, Services } from '../route.ts';
import { routeTableVersion } from '../route-table-version.ts';
import { NamedSchemas } from './named-schemas.ts';
import { COMPONENTS, componentsWith } from './openapi-components.ts';
import { callbacksOf, eventMedia } from './openapi-messages.ts';
import { type Parts, partReference, partsOf, plainSchema } from './part-references.ts';
import { plain } from './plain-schema.ts';
import { ANSWER, typeName } from './schema-names.ts';

type Json = Readonly<Record<string, unknown>>;

const TAGS: Readonly<Record<string, string>> = {
  funding: 'Funding rates: live, across venues, and the next settlement',
  'open-interest': 'Open positions',
  basis: 'Mark price against index price',
  carry: 'What holding a position earns or costs a year',
  venues: 'What is tracked, and how fresh it is',
  health: 'State of the service',
  payments: 'What is sold, at what price, and how to pay',
  prices: 'Prices and their changes',
  discovery: 'Documents for indexers and clients',
  errors: 'What error codes mean and what to do',
  preview: 'Free samples of paid answers',
  'perpetual-futures': 'Everything about perpetual futures',
  'market-data': 'Raw and computed market facts',
};

function parameter(name: string, place: 'query' | 'path', declared: Declared, property: unknown): Json {
  const { description: _, examples: __, ...schema } = plain(property);
  return {
    name,
    in: place,
    required: place === 'path' || declared.required,
    description: declared.description,
    schema,
    ...(declared.example !== undefined && { example: declared.example }),
  };
}

/** The secret that came with what was bought. */
const SECRET_PARAMETER: Json = {
  name: SECRET_HEADER,
  in: 'header',
  required: false,
  description: 'Secret of what is read, as its purchase gave it',
  schema: { type: 'string' },
};

function parameters(route: Route): readonly Json[] {
  const list = (
    place: 'query' | 'path',
    declared: ReadonlyMap<string, Declared>,
    properties: Json,
  ): readonly Json[] => [...declared].map(([name, value]) => parameter(name, place, value, properties[name]));
  return [
    ...list('path', route.pathParameters, route.params.properties),
    ...list('query', route.queryParameters, route.query.properties),
    ...(route.takesSecret === true ? [SECRET_PARAMETER] : []),
  ];
}

/** A file, by its type without parameters. */
const fileMedia = (type: string) =>
  [type.split(';')[0], { schema: { type: 'string', format: 'binary' } }] as const;

/** True if an answer may be about an asset that was asked for by another name. */
const saysRenamed = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'properties' in answer &&
  Object.hasOwn(Object(answer.properties), 'renamed');

/**
 * Of one asset, or where several are taken of several; generated clients name alternatives by their titles. An answer that is a
 * part of others is a component of the document.
 */
function answerSchema(route: Route, parts: Parts): Json {
  const { id, path, answer, several } = route;
  const ofOne = parts.has(path) ? { $ref: partReference(route) } : plainSchema(answer, parts);
  if (several === undefined) return ofOne;
  const ofSeveral = { title: `${id} of several assets`, ...plainSchema(several, parts) };
  return { oneOf: [{ title: `${id} of one asset`, ...ofOne }, ofSeveral] };
}

/** All operations are written by these. */
interface Writing extends Services {
  readonly parts: Parts;
  readonly named: NamedSchemas;
}

/** @param soldHeaders those of the answer; none where it is not sold */
function success(route: Route, { parts, named }: Writing, soldHeaders: Services['soldHeaders']): Json {
  const type = route.contentType ?? 'application/json';
  const media = {
    schema: named.add(answerSchema(route, parts), [typeName(route.id), ANSWER]),
    ...(route.example !== undefined && { example: route.example.answer }),
  };
  return {
    description: route.summary,
    ...(answersData(route) && {
      headers: {
        ...('as_of' in route.query.properties && {
          'X-Answered-As-Of': { $ref: '#/components/headers/AnsweredAsOf' },
        }),
        'X-Data-As-Of': { $ref: '#/components/headers/DataAsOf' },
        'X-Data-Sources': { $ref: '#/components/headers/DataSources' },
        ...(saysRenamed(route.answer) && { 'X-Renamed': { $ref: '#/components/headers/Renamed' } }),
        ...Object.fromEntries(
          soldHeaders.map(({ name, component }) => [name, { $ref: `#/components/headers/${component}` }]),
        ),
      },
    }),
    content: {
      [type]: media,
      ...Object.fromEntries((route.fileTypes ?? []).map(fileMedia)),
      ...eventMedia(route, named),
    },
  };
}

const response = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

function responses(route: Route, sold: boolean, writing: Writing): Json {
  const made = success(route, writing, sold ? writing.soldHeaders : []);
  const common = { '200': made, '400': response('BadRequest') };
  if (route.access === 'free') {
    const names = route.pathParameters.size > 0 || 'venue' in route.query.properties;
    const mayFail = route.isStream === true || route.readsLedger === true;
    const answers = { '304': response('NotModified'), '429': response('TooManyRequests') };
    return {
      ...common,
      ...(names && { '404': response('NotFound') }),
      ...answers,
      ...(mayFail && { '503': response('Unavailable') }),
    };
  }
  return {
    ...common,
    ...(sold && { '402': response('PaymentRequired') }),
    '404': response('NotFound'),
    '409': response('Conflict'),
    ...(sold && { '429': response('TooManyRequests') }),
    '503': response('Unavailable'),
  };
}

function operation(route: Route, writing: Writing): Json {
  const { payments, clock } = writing;
  const usd = payments.prices.priceAt(route.id, clock.now())?.usd;
  const sold = route.access === 'paid' && payments.seller !== undefined && usd !== undefined;
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    tags: route.tags.slice(0, 1),
    security: [],
    parameters: parameters(route),
    responses: responses(route, sold, writing),
    ...callbacksOf(route, writing.named),
    ...(sold && {
      'x-payment-info': {
        protocols: [{ x402: {} }],
        price: { mode: 'fixed', currency: 'USD', amount: usd },
      },
    }),
  };
}

const INTRODUCTION = [
  'Live and computed market data of perpetual futures from many venues.',
  'Free operations need nothing. Paid operations are bought per request over x402: an unpaid GET is answered with 402 and a challenge, the same GET with a signed payment with the data. No account, no key.',
  'An error is never charged: parameters are checked and the answer is made before anything is settled.',
  'Name each purchase by an identifier of your own (16 to 128 characters of A-Z a-z 0-9 _ -, in the x402 extension payment-identifier or the header Idempotency-Key): for 24 hours you are charged once under it, also where you sign anew because an answer was lost.',
  'A value that is not known is null; zero is data. Timestamps are ISO 8601 in UTC.',
  'Examples are what this service answered over simulated venues: names are real, values are not.',
].join('\n\n');

/** The names that generators make for the types of a route's parameters. */
const parameterNames = ({ id, pathParameters, queryParameters }: Route): readonly string[] =>
  [...pathParameters.keys(), ...queryParameters.keys()].map((name) => typeName(id) + typeName(name));

/** The OpenAPI 3.1 document of the route table. */
export function openApiDocument(services: Services): Json {
  const { service, routes, soldHeaders } = services;
  const used = [...new Set(routes.flatMap(({ tags }) => tags.slice(0, 1)))];
  const parts = partsOf(routes);
  const named = new NamedSchemas(new Set(routes.flatMap(parameterNames)));
  for (const [name, schema] of Object.entries(COMPONENTS.schemas)) named.add(schema, [name]);
  for (const { id, answer } of parts.values())
    named.addPart(plainSchema(answer, parts), [typeName(id), ANSWER]);
  const writing: Writing = { ...services, parts, named };
  const paths = Object.fromEntries(routes.map((route) => [route.path, { get: operation(route, writing) }]));
  return {
    openapi: '3.1.0',
    info: {
      title: service.name,
      version: service.version,
      summary: 'Perpetual-futures market data, paid per request',
      description: INTRODUCTION,
      contact: { name: service.name, url: service.baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-route-table': routeTableVersion(routes),
    },
    servers: [
      { url: service.baseUrl, description: service.data === 'live' ? 'Live data' : 'Simulated data' },
    ],
    tags: used.map((name) => ({ name, description: TAGS[name] ?? name })),
    security: [],
    paths,
    components: componentsWith(soldHeaders, named),
  };
}

export const openapi = defineProduct({
  id: 'openapi',
  path: '/openapi.json',
  access: 'free',
  summary: 'OpenAPI document',
  description:
    'This interface as an OpenAPI 3.1 document, made from the same table that serves it: parameters, answers with nullable fields, errors, prices and the challenge of every paid operation.',
  tags: ['discovery'],
  dependsOn: 'document',
  revisedAt: '2026-11-20T00:00:00.000Z',
  answer: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }),
  compute: (_, services: Services) => ok({ content: { json: openApiDocument(services) } }),
});
