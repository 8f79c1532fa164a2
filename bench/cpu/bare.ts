/**
 * The bare receiver: a process that takes over sockets what the service takes, unpacks and parses it, and nothing else.
 * Asked by a message, it says the CPU seconds that it has used and the messages that it has parsed.
 * Usage: bare.ts <address of the mirror> <sockets, 1 where frames come compressed, 0 where not: 1001...>
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';

/** The receiver's report, on request. */
export interface Used {
  readonly cpuSeconds: number;
  readonly messages: number;
}

/** As many answers are waited for at once. */
const REQUESTS = 32;
const [, , mirror = '', sockets = ''] = process.argv;
let messages = 0;

function unpack(data: Buffer, encoding: unknown): Buffer {
  if (encoding === 'br') return brotliDecompressSync(data);
  if (data[0] === 0x1f && data[1] === 0x8b) return gunzipSync(data);
  return encoding === 'deflate' ? inflateSync(data) : data;
}

/** Pings and frames that are not JSON count for what it takes to find that out. */
function parse(text: string): void {
  messages += 1;
  try {
    JSON.parse(text);
  } catch {}
}

async function takeAnswers(dispatcher: Agent): Promise<never> {
  for (;;) {
    const { headers, body } = await request(`${mirror}/next`, { dispatcher });
    parse(unpack(Buffer.from(await body.arrayBuffer()), headers['content-encoding']).toString());
  }
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6, messages } satisfies Used);
});
process.on('disconnect', () => process.exit(0));
[...sockets].forEach((packed, n) => {
  const address = `${mirror.replace('http', 'ws')}/${n}`;
  const socket = new WebSocket(address, { perMessageDeflate: packed === '1' });
  socket.on('message', (data: Buffer) => parse(unpack(data, undefined).toString()));
});
const agent = new Agent({ connections: REQUESTS, headersTimeout: 0 });
await Promise.all(Array.from({ length: REQUESTS }, () => takeAnswers(agent)));
