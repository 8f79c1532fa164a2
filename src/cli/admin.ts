import { createServer } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Service } from '../service.ts';

export interface Admin {
  readonly port: number;
  close(): Promise<void>;
}

/** Venues that must be live before the service calls itself ready. */
const READY_VENUES = 1;

function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  collect: (set: (labels: Record<string, string>, value: number) => void) => void,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      collect((labels, value) => this.set(labels, value));
    },
  });
}

/** Metrics of a service in Prometheus text. */
export function metricsOf({ market, collector, outcomes }: Service): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, 'perpmeter_rows', 'rows of the live table', [], (set) =>
    set({}, market.view.rows().length),
  );
  gauge(registry, 'perpmeter_venue_status', '2 live, 1 stale, 0 down', ['venue'], (set) => {
    const value = { live: 2, stale: 1, down: 0 };
    for (const { venue, status } of collector.health.all()) set({ venue }, value[status]);
  });
  gauge(registry, 'perpmeter_venue_rejects', 'rows left out since start', ['venue', 'reason'], (set) => {
    for (const { venue, rejectsByReason } of collector.health.all()) {
      for (const [reason, count] of Object.entries(rejectsByReason)) set({ venue, reason }, count);
    }
  });
  gauge(registry, 'perpmeter_payments', 'payments since start', ['outcome'], (set) => {
    for (const [outcome, count] of outcomes) set({ outcome }, count);
  });
  return registry;
}

/** Serves /metrics, /livez and /readyz on loopback. */
export function startAdmin(service: Service, port: number): Promise<Admin> {
  const registry = metricsOf(service);
  const answer = async (path: string): Promise<readonly [status: number, type: string, body: string]> => {
    if (path === '/livez') return [200, 'text/plain', 'ok\n'];
    if (path === '/metrics') return [200, registry.contentType, await registry.metrics()];
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
