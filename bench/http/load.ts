/** Keep-alive clients that ask again as soon as they are answered; told by messages of the parent. */
import { connect, type Socket } from 'node:net';
import type { LoadMessage, LoadOrder } from './messages.ts';

const LENGTH = Buffer.from('\r\nContent-Length: ');
const HEAD_END = Buffer.from('\r\n\r\n');

const NOTHING = Buffer.alloc(0);

/** Content-Length of a response head; NaN without one. */
function bodyLength(head: Buffer): number {
  const at = head.indexOf(LENGTH);
  return at < 0
    ? Number.NaN
    : Number.parseInt(head.toString('latin1', at + LENGTH.length, at + LENGTH.length + 12), 10);
}

interface Tally {
  responses: number;
  status: number;
  bytes: number;
}

/** All connections read into one buffer: nothing of a response is kept. */
const received = Buffer.alloc(256 * 1024);

/** One connection: counts a response when all of its bytes are there, then asks again. */
function runConnection(order: LoadOrder, tally: Tally, fail: (error: Error) => void): Socket {
  const request = Buffer.from(order.request, 'latin1');
  let missing = 0;
  let head: Buffer = NOTHING;
  const begin = (chunk: Buffer): void => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      head = Buffer.from(head);
      return;
    }
    const length = bodyLength(head);
    if (Number.isNaN(length)) fail(new Error('a response without Content-Length'));
    tally.status = Number(head.toString('latin1', 9, 12));
    tally.bytes = length;
    missing = end + HEAD_END.length + length - head.length;
    head = NOTHING;
  };
  const read = (size: number): boolean => {
    if (missing === 0) begin(received.subarray(0, size));
    else missing -= size;
    if (missing === 0 && head.length === 0) {
      tally.responses += 1;
      socket.write(request);
    }
    return true;
  };
  const socket = connect({
    port: order.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: received, callback: read },
  });
  socket.on('connect', () => socket.write(request));
  socket.on('error', fail);
  return socket;
}

const tell = (message: LoadMessage): void => {
  process.send?.(message);
};

/** A sleeping client is woken by the server, at the server's cost, and the oftener the slower that is. */
function stayAwake(isOver: () => boolean): void {
  setImmediate(() => isOver() || stayAwake(isOver));
}

function run(order: LoadOrder): void {
  const tally: Tally = { responses: 0, status: 0, bytes: 0 };
  let over = false;
  const fail = (error: Error): void => {
    if (over) return;
    console.error(error);
    process.exit(1);
  };
  const sockets = Array.from({ length: order.connections }, () => runConnection(order, tally, fail));
  stayAwake(() => over);
  setTimeout(() => {
    const before = tally.responses;
    tell({ kind: 'warm' });
    setTimeout(() => {
      over = true;
      tell({ kind: 'done', responses: tally.responses - before, status: tally.status, bytes: tally.bytes });
      for (const socket of sockets) socket.destroy();
    }, order.measureMs);
  }, order.warmUpMs);
}

process.on('message', (order: LoadOrder) => run(order));
process.on('disconnect', () => process.exit(0));
