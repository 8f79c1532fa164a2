import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const LENGTH = /\r\ncontent-length: (\d+)/i;

export interface Load {
  readonly responses: number;
  readonly seconds: number;
  /** Of every response, ms, ascending. */
  readonly latencies: readonly number[];
  readonly statuses: ReadonlySet<number>;
}

/** Keep-alive clients that ask the paths in turn, each as soon as it was answered. */
export function runClients(
  port: number,
  paths: readonly string[],
  connections: number,
  ms: number,
): Promise<Load> {
  return new Promise((resolve, reject) => {
    const latencies: number[] = [];
    const statuses = new Set<number>();
    const began = performance.now();
    let turn = 0;
    let open = connections;
    const client = (): void => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let missing = 0;
      let head = '';
      let sentAt = 0;
      const ask = (): void => {
        sentAt = performance.now();
        socket.write(`GET ${paths[turn++ % paths.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      };
      const answered = (): void => {
        latencies.push(performance.now() - sentAt);
        if (performance.now() - began < ms) ask();
        else socket.destroy();
      };
      socket.on('connect', ask);
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length;
          if (missing === 0) answered();
          return;
        }
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        statuses.add(Number(head.slice(9, 12)));
        missing = Number(LENGTH.exec(head)?.[1] ?? 0) - (head.length - end - 4);
        head = '';
        if (missing === 0) answered();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        open -= 1;
        if (open > 0) return;
        const seconds = (performance.now() - began) / 1000;
        latencies.sort((a, b) => a - b);
        resolve({ responses: latencies.length, seconds, latencies, statuses });
      });
    };
    for (let i = 0; i < connections; i++) client();
  });
}
