/**
 * The bare relay that the service is held against: one process that parses the frames it is sent, keeps the last of
 * each symbol and answers over HTTP. Frames come over WebSocket on `/<venue>`; `GET /<venue>/<symbol>` is answered with
 * the last one's arrival. Says its address on standard output.
 */
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { symbolOf } from './symbol-of.ts';

interface Kept {
  readonly at: number;
  readonly frame: unknown;
}

const last = new Map<string, Map<string, Kept>>();

const unpack = (data: Buffer): Buffer => (data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data) : data);

/** Undefined for a pong of plain text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function take(venue: string, text: string): void {
  const frame = parse(text);
  const symbol = symbolOf(frame);
  if (symbol === undefined) return;
  const kept = last.get(venue) ?? new Map<string, Kept>();
  last.set(venue, kept);
  kept.set(symbol, { at: Date.now(), frame });
}

const server = createServer((asked, answer) => {
  const [, venue = '', symbol = ''] = (asked.url ?? '').split('/');
  const kept = last.get(venue)?.get(decodeURIComponent(symbol));
  const body = kept === undefined ? '{}' : JSON.stringify({ timestamp: new Date(kept.at).toISOString() });
  answer.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
new WebSocketServer({ server }).on('connection', (socket, asked) => {
  const venue = (asked.url ?? '').slice(1);
  socket.on('message', (data: Buffer) => take(venue, unpack(data).toString()));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('disconnect', () => process.exit(0));
