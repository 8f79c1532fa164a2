import type { Route } from '../route.ts';
import { plain } from './plain-schema.ts';

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
export function eventMedia({ events }: Pick<Route, 'events'>): Json {
  if (events === undefined) return {};
  return { 'text/event-stream': { schema: { oneOf: Object.entries(events).map(eventSchema) } } };
}

/** The messages that a route has posted to an address of the buyer. */
export function callbacksOf({ posts }: Pick<Route, 'posts'>): Json {
  if (posts === undefined) return {};
  const callbacks = Object.entries(posts).map(([name, { parameter, summary, description, body, reply }]) => {
    const answer = reply.body && { content: { 'application/json': { schema: plain(reply.body) } } };
    const post = {
      summary,
      description,
      requestBody: { required: true, content: { 'application/json': { schema: plain(body) } } },
      responses: {
        '200': { description: reply.description, ...answer },
        '4XX': { description: 'It was not taken, as without an answer' },
      },
    };
    return [name, { [`{$request.query.${parameter}}`]: { post } }] as const;
  });
  return { callbacks: Object.fromEntries(callbacks) };
}
