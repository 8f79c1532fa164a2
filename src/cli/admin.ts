import { createServer } from 'node:http';
import type { Service } from '../service/options.ts';
import { metricsOf } from './metrics/service-metrics.ts';

export interface Admin {
  readonly port: number;
  close(): Promise<void>;
}

/** Venues that must be live before the service calls itself ready. */
const READY_VENUES = 1;

/** Serves /metrics, /livez and /readyz on loopback. */
export function startAdmin(service: Service, port: number): Promise<Admin> {
  const metrics = metricsOf(service);
  const answer = async (path: string): Promise<readonly [status: number, type: string, body: string]> => {
    if (path === '/livez') return [200, 'text/plain', 'ok\n'];
    if (path === '/metrics') return [200, metrics.contentType, await metrics.text()];
    if (path !== '/readyz') return [404, 'text/plain', 'paths: /livez /readyz /metrics\n'];
    const live = service.collector.health.all().filter(({ status }) => status === 'live').length;
    return live >= READY_VENUES ? [200, 'text/plain', 'ok\n'] : [503, 'text/plain', 'no venue is live yet\n'];
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    answer(path).then(
      ([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
