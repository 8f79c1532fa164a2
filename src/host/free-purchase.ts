import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../api/http/http-server.ts';
import { sendProblem } from '../api/http/reply.ts';
import { type Route, routeOf, type Services } from '../api/route.ts';
import type { Failure, Result } from '../domain/errors.ts';
import type { RenderedAnswer } from '../products/answer/product-answer.ts';
import type { Ports, Product } from '../products/define-product.ts';
import type { Port } from '../runtime/port.ts';
import { StoreUnreachable } from '../storage/remote-state.ts';

export interface FreePurchaseParts<Value> {
  /** Products whose sales are heard of. */
  readonly products: readonly Product<Services>[];
  /** The port by which they sell. */
  readonly port: Port<Value>;
  /** Stands in the port's place for the operator: it grants at once. */
  readonly granting: NoInfer<Value>;
  readonly ports: Ports;
  readonly routes: readonly Route[];
  readonly report: (fault: { readonly at: string; readonly error: unknown }) => void;
}

const INTERNAL: Failure = { code: 'internal', detail: 'The purchase could not be granted.' };

const AWAY: Failure = {
  code: 'not_ready',
  detail: 'The store that hosts share does not answer: the purchase may have been granted all the same.',
  retryAfterSeconds: 5,
};

/** Purchases on the operator's port: they cost nothing, and are granted at once. */
export function freePurchases<Value>(parts: FreePurchaseParts<Value>): RequestHandler {
  const own = parts.products.map(routeOf);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const url = new URL(request.url ?? '', 'http://operator.invalid');
    const route = own.find(({ path }) => path === url.pathname);
    if (request.method !== 'GET' || route === undefined) return false;
    grant(parts, route, url)
      .then((made) => {
        if (!made.ok) sendProblem(response, made.error);
        else if ('json' in made.value.content) sendJson(response, made.value.content.json);
        else sendProblem(response, INTERNAL);
      })
      .catch((error: unknown) => {
        const isAway = error instanceof StoreUnreachable;
        if (!isAway) parts.report({ at: route.id, error });
        if (!response.headersSent) sendProblem(response, isAway ? AWAY : INTERNAL);
      });
    return true;
  };
}

async function grant<Value>(
  { port, granting, ports, routes }: FreePurchaseParts<Value>,
  route: Route,
  url: URL,
): Promise<Result<RenderedAnswer>> {
  const read = route.read([], [...url.searchParams]);
  if (!read.ok) return read;
  const readPort: Ports['readPort'] = (asked) =>
    (asked as unknown) === port ? (granting as never) : ports.readPort(asked);
  // The product looks at ports and routes alone.
  const plan = route.plan(read.value, { ...ports, readPort, routes } as unknown as Services);
  return plan.ok ? plan.value.produce() : plan;
}

/** An answer to the operator alone. */
export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
