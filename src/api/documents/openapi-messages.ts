import type { Route } from '../route.ts';
import type { NamedSchemas, Way } from './named-schemas.ts';
import { plain } from './plain-schema.ts';
import { typeName } from './schema-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** One event of a stream: as a message of a WebSocket it is this object, as a server-sent event its lines. */
const eventSchema = ([event, data]: readonly [string, unknown]): Json => ({
  title: event,
  type: 'object',
  required: ['id', 'event', 'data'],
  properties: {
    id: { type: 'string', description: 'Resumes behind it' },
    event: { type: 'string', const: event },
    data: plain(data),
  },
});

/** The media type of a route's events; nothing of one that has none. */
export function eventMedia({ id, events }: Pick<Route, 'id' | 'events'>, named: NamedSchemas): Json {
  if (events === undefined) return {};
  const schema = { oneOf: Object.entries(events).map(eventSchema) };
  return { 'text/event-stream': { schema: named.add(schema, [typeName(id), 'Event']) } };
}

/** The messages that a route has posted to an address of the buyer. */
export function callbacksOf({ id, posts }: Pick<Route, 'id' | 'posts'>, named: NamedSchemas): Json {
  if (posts === undefined) return {};
  const callbacks = Object.entries(posts).map(([name, { parameter, summary, description, body, reply }]) => {
    const own = [typeName(id), typeName(name)] as const;
    const json = (schema: unknown, way: Way): Json => ({
      'application/json': { schema: named.add(plain(schema), way) },
    });
    const answer = reply.body && { content: json(reply.body, [...own, 'Reply']) };
    const post = {
      summary,
      description,
      requestBody: { required: true, content: json(body, own) },
      responses: {
        '200': { description: reply.description, ...answer },
        '4XX': { description: 'It was not taken, as without an answer' },
      },
    };
    return [name, { [`{$request.query.${parameter}}`]: { post } }] as const;
  });
  return { callbacks: Object.fromEntries(callbacks) };
}
