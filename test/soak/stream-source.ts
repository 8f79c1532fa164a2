import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamRow } from '../../src/modules/stream/change-log.ts';
import { RowStream, type RowStreamOptions } from '../../src/modules/stream/row-stream.ts';
import { Random } from './random.ts';

/** Rows that change by a seed: some of them at each look, one now and then gone and back. */
export class SeededRows {
  readonly rows = new Map<
    string,
    { readonly key: string; readonly n: number; readonly at: number; readonly pad: string }
  >();
  readonly #random: Random;
  readonly #count: number;
  readonly #pad: string;
  /** While it is false nothing changes. */
  isChanging = true;
  #n = 0;

  constructor(seed: number, count: number, padding: number) {
    this.#random = new Random(seed);
    this.#count = count;
    this.#pad = 'x'.repeat(padding);
    for (let i = 0; i < count; i += 1) this.#set(`row ${i}`);
  }

  *look(): Generator<StreamRow> {
    for (let i = 0; this.isChanging && i < Math.max(3, this.#count / 4); i += 1) {
      const key = `row ${this.#random.between(0, this.#count - 1)}`;
      if (this.#random.chance(0.1)) this.rows.delete(key);
      else this.#set(key);
    }
    for (const row of this.rows.values())
      yield { key: row.key, version: row, text: () => JSON.stringify(row) };
  }

  #set(key: string): void {
    this.#n += 1;
    this.rows.set(key, { key, n: this.#n, at: Date.now(), pad: this.#pad });
  }
}

export interface ServedRows {
  readonly source: SeededRows;
  readonly stream: RowStream;
}

/** A server with one stream a path. */
export async function serveRows(
  paths: Readonly<Record<string, { source: SeededRows; options: Omit<RowStreamOptions, 'rows'> }>>,
): Promise<{ url: string; streams: ReadonlyMap<string, ServedRows>; server: Server }> {
  const streams = new Map<string, ServedRows>();
  for (const [path, { source, options }] of Object.entries(paths)) {
    streams.set(path, { source, stream: new RowStream({ rows: () => source.look(), ...options }) });
  }
  const server = createServer((request, response) => {
    const served = streams.get(request.url ?? '');
    const refusal = served?.stream.open(request, response, request.socket.remoteAddress ?? '');
    if (served === undefined || refusal !== undefined) response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 511, resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, streams, server };
}
