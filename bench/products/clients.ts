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

const ascending = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** Takes the chunks of answers that say how long they are. */
function answerReader(head: (status: number) => void, end: () => void): (chunk: Buffer) => void {
  let missing = 0;
  let text = '';
  return (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing === 0) end();
      return;
    }
    text += chunk.toString('latin1');
    const length = text.indexOf('\r\n\r\n');
    if (length < 0) return;
    head(Number(text.slice(9, 12)));
    missing = Number(LENGTH.exec(text)?.[1] ?? 0) - (text.length - length - 4);
    text = '';
    if (missing === 0) end();
  };
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
      socket.on(
        'data',
        answerReader((status) => statuses.add(status), answered),
      );
      socket.on('error', reject);
      socket.on('close', () => {
        open -= 1;
        if (open > 0) return;
        const seconds = (performance.now() - began) / 1000;
        resolve({ responses: latencies.length, seconds, latencies: ascending(latencies), statuses });
      });
    };
    for (let i = 0; i < connections; i++) client();
  });
}
