import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; the last of equal names wins. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

function parse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: bytes.subarray(end + 4) };
}

/** Sends bytes as they are and reads until the server closes: for what no client library would send. */
export function sendRaw(base: string, text: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(chunks))));
  });
}

/** A GET of a path exactly as it is written: nothing is normalised on the way. */
export function getRaw(
  base: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return requestRaw(base, 'GET', path, headers);
}

export function requestRaw(
  base: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendRaw(base, `${method} ${path} HTTP/1.1\r\n${head}\r\n`);
}

export const json = (response: RawResponse): unknown => JSON.parse(response.body.toString());
