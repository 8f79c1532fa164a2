import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzip } from 'node:zlib';
import { type ActiveFault, type Fault, retryAfterText } from './faults.ts';
import { faultyJson } from './faulty-json.ts';
import type { SimResponse } from './venue.ts';

const GZIP_FROM_BYTES = 1024;
const HTML =
  '<!DOCTYPE html><html><head><title>503 Service Unavailable</title></head><body>Maintenance</body></html>';
/** Not UTF-8, not JSON, not gzip. */
const GARBAGE = Buffer.from(Array.from({ length: 256 }, (_, i) => (i * 89 + 131) & 0xff));

interface Wire {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Sends a venue's answer. Over 1 KB it is compressed where the client accepts gzip. */
export async function send(res: ServerResponse, response: SimResponse, acceptsGzip: boolean): Promise<void> {
  const wire = await encode(response, acceptsGzip);
  res.writeHead(wire.status, wire.headers);
  res.end(wire.body);
}

/**
 * Sends a venue's answer as the fault bends it. Answers the status that went out, 0 for none. When the fault is
 * cancelled a delayed or dripping answer is completed at once; a hanging one is dropped.
 */
export async function sendFaulty(
  res: ServerResponse,
  response: SimResponse,
  acceptsGzip: boolean,
  active: ActiveFault,
  now: number,
): Promise<number> {
  const { fault, signal } = active;
  const distorted = distort(response, fault, now);
  switch (fault.kind) {
    case 'delay':
      await wait(fault.ms, signal);
      break;
    case 'hang':
      await released(res, signal);
      res.destroy();
      return 0;
    case 'reset':
      res.socket?.resetAndDestroy();
      return 0;
    case 'half-reset':
      await sendHalf(res, distorted);
      return distorted.status;
    case 'drip':
      await drip(res, await encode(distorted, acceptsGzip), fault.bytes, fault.everyMs, signal);
      return distorted.status;
    case 'garbage':
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': String(GARBAGE.length) });
      res.end(GARBAGE);
      return 200;
    default:
  }
  await send(res, distorted, acceptsGzip);
  return distorted.status;
}

/** The answer with status or body replaced, where the fault is one of content. */
function distort(response: SimResponse, fault: Fault, now: number): SimResponse {
  switch (fault.kind) {
    case 'status': {
      const { retryAfter: after, location } = fault;
      const headers = {
        ...(after !== undefined && { 'retry-after': retryAfterText(after, now) }),
        ...(location !== undefined && { location }),
      };
      return { status: fault.status, body: fault.body ?? '', headers };
    }
    case 'html':
      return { status: fault.status ?? 200, body: HTML, headers: { 'content-type': 'text/html' } };
    case 'truncated':
      return { ...response, body: half(response.body) };
    case 'rename':
    case 'scale':
      return { ...response, body: faultyJson(response.body, fault) };
    case 'oversize':
      return { ...response, body: `{"padding":"${'x'.repeat(Math.max(0, fault.bytes - 14))}"}` };
    default:
      return response;
  }
}

/** The first half of a text. */
function half(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

/** Frames of a stream as the fault bends them; undefined = nothing is sent. */
export function distortFrame(frame: string | Buffer, fault: Fault): string | Buffer | undefined {
  switch (fault.kind) {
    case 'silence':
    case 'hang':
      return undefined;
    case 'garbage':
      return GARBAGE;
    case 'html':
      return HTML;
    case 'truncated':
    case 'half-reset':
      return typeof frame === 'string' ? half(frame) : frame.subarray(0, Math.floor(frame.length / 2));
    case 'rename':
    case 'scale':
      return typeof frame === 'string' ? faultyJson(frame, fault) : frame;
    case 'oversize':
      return 'x'.repeat(fault.bytes);
    default:
      return frame;
  }
}

async function encode(response: SimResponse, acceptsGzip: boolean): Promise<Wire> {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...response.headers };
  let body = Buffer.from(response.body, 'utf8');
  if (acceptsGzip && body.length > GZIP_FROM_BYTES) {
    body = await compress(body);
    headers['content-encoding'] = 'gzip';
    headers.vary = 'accept-encoding';
  }
  headers['content-length'] = String(body.length);
  return { status: response.status, headers, body };
}

function compress(body: Buffer): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    gzip(body, { level: 1 }, (error, out) => {
      if (error === null) resolve(out);
      else reject(error);
    });
  });
}

/** Promises the whole length, delivers half, drops the connection. */
async function sendHalf(res: ServerResponse, response: SimResponse): Promise<void> {
  const wire = await encode(response, false);
  res.writeHead(wire.status, wire.headers);
  await new Promise<void>((done) => {
    res.write(wire.body.subarray(0, Math.floor(wire.body.length / 2)), () => done());
  });
  res.destroy();
}

async function drip(
  res: ServerResponse,
  wire: Wire,
  bytes: number,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  res.writeHead(wire.status, wire.headers);
  let sent = 0;
  while (sent < wire.body.length && !signal.aborted && !res.destroyed) {
    res.write(wire.body.subarray(sent, sent + bytes));
    sent += bytes;
    await wait(everyMs, signal);
  }
  res.end(wire.body.subarray(sent));
}

/** Waits for `ms`, or until the rule is cancelled. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Waits until the rule is cancelled or the client goes away. */
async function released(res: ServerResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((done) => {
    signal.addEventListener('abort', () => done(), { once: true });
    res.once('close', () => done());
  });
}
