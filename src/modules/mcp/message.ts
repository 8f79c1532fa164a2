import type { IncomingMessage } from 'node:http';

/** The content of one HTTP request, as the SDK's handler takes it. */
export interface Received {
  /** The body as JSON; undefined where there is none, or it is not JSON. */
  readonly message: unknown;
  /** Without the body where `message` says what it is: then nothing is read, copied and parsed a second time. */
  readonly request: Request;
}

/** Reads a request to its end; undefined where its body is longer than allowed. Rejects where the client breaks off. */
export async function receive(incoming: IncomingMessage, mostBytes: number): Promise<Received | undefined> {
  if (Number(incoming.headers['content-length']) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const message = readJson(body);
  const { method = 'GET', url = '/', headers } = incoming;
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: headers as Record<string, string>,
    ...(message === undefined && body !== '' && { body }),
  });
  return { message, request };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
