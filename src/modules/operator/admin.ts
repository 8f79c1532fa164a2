import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isPagePath } from '../../api/page/page.ts';
import { metricsOf } from '../../host/metrics/service-metrics.ts';
import type { Service } from '../../host/options.ts';
import { answerOperatorDocument, documentsByPath } from './answer-document.ts';
import type { OperatorContext } from './document.ts';
import { ADMIN_HOST, metricsGuard, operatorGuard, type Refusal } from './guard.ts';

export interface Admin {
  readonly port: number;
  close(): Promise<void>;
}

/** Idle connections end soon, so that programs of this machine cannot take all of the few that this port keeps. */
const CONNECTIONS = {
  headersTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;
const MAX_CONNECTIONS = 64;

/** Text for machines on the operator's side; undefined where the path is not one of theirs. */
type Probe = (path: string) => Promise<readonly [status: number, type: string, body: string] | undefined>;

function probesOf(service: Service): Probe {
  const metrics = metricsOf(service);
  return async (path) => {
    if (path === '/livez') return [200, 'text/plain', 'ok\n'];
    if (path === '/metrics') return [200, metrics.contentType, await metrics.text()];
    if (path !== '/readyz') return undefined;
    const reason = service.unready();
    return reason === undefined ? [200, 'text/plain', 'ok\n'] : [503, 'text/plain', `${reason}\n`];
  };
}

const REFUSAL_HEADERS: Readonly<Record<Refusal['status'], Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  403: {},
  429: { 'retry-after': '1' },
};

function refuse(response: ServerResponse, refusal: Refusal): void {
  response
    .writeHead(refusal.status, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...REFUSAL_HEADERS[refusal.status],
    })
    .end(JSON.stringify({ type: 'about:blank', ...refusal }));
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers probes and metrics to programs of this machine, and the rest to requests that present the token. */
function operatorAnswers(context: OperatorContext, token: string | undefined): Answer {
  const { service } = context;
  const documents = documentsByPath(context);
  const probe = probesOf(service);
  const guard = operatorGuard(token);
  const metricsRefusal = metricsGuard(guard, token !== undefined);
  return async (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const foreign = path === '/metrics' ? metricsRefusal(request) : undefined;
    if (foreign !== undefined) return refuse(response, foreign);
    const probed = await probe(path);
    if (probed !== undefined) {
      const [status, type, body] = probed;
      response.writeHead(status, { 'content-type': type }).end(body);
      return;
    }
    const refusal = guard(request);
    // The page itself is no secret, and must load to ask for the token.
    if (refusal !== undefined && !(refusal.status === 401 && isPagePath(path))) refuse(response, refusal);
    else if (
      !(await answerOperatorDocument(documents, context, request, response)) &&
      !service.answerOperator(request, response)
    ) {
      const own = ['/livez /readyz /metrics', ...documents.keys()].join(' ');
      const paths = `paths: ${own}, / in a browser, and all of /openapi.json\n`;
      response.writeHead(404, { 'content-type': 'text/plain' }).end(paths);
    }
  };
}

/**
 * Serves the operator on loopback: /metrics, /livez and /readyz, what only the operator may read, the page, and all
 * routes without payment.
 * @param token what a request must present for anything but probes and the page's own files; none = this machine
 */
export function startAdmin(context: OperatorContext, port: number, token?: string): Promise<Admin> {
  const answer = operatorAnswers(context, token);
  const server = createServer(CONNECTIONS, (request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADMIN_HOST, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            // The last response is sent before its connection is closed.
            setImmediate(() => server.closeAllConnections());
          }),
      });
    });
  });
}
