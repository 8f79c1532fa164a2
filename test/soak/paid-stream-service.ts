/** A process that serves paid streams over a seeded market, second by second as its parent tells it; it may be killed at any time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asMs } from '../../src/domain/units.ts';
import { paidEventStream } from '../../src/modules/paid-stream/event-stream.ts';
import { readSelection } from '../../src/modules/paid-stream/selection.ts';
import { openStreamStore } from '../../src/modules/paid-stream/stream-store.ts';
import { RowStream } from '../../src/modules/stream/row-stream.ts';
import { createOwner, isOwnerGone } from '../../src/storage/process-owner.ts';
import { streamMarket, streamRig } from '../paid-stream/stream-rig.ts';
import type { Asked, Reply, Turned } from './paid-stream-protocol.ts';
import { openSharedStreams } from './shared-stream-store.ts';

const [folder = '', begunAt = '0', silentVenue = '', postgres = ''] = process.argv.slice(2);
const VENUES = ['binance', 'okx', 'bybit'];
const BASES = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'];
const SECOND = 1000;

const market = streamMarket();
for (const venue of VENUES) market.list(venue, BASES);
market.pass(Number(begunAt) * SECOND);
const owner = createOwner();
const shared = postgres === '' ? undefined : await openSharedStreams(postgres, folder);
const store = shared ?? openStreamStore(folder);
const rig = streamRig(market, { folder, owner, store, isCharging: true });
await rig.store.recover(owner, market.clock.now(), isOwnerGone);
let second = Number(begunAt);
let isChanging = true;
let silent = new Set(silentVenue.split(',').filter((venue) => venue !== ''));

/** Rates that name the second in which they changed: a row that is older than the one before is seen. */
const rateAt = (at: number): number => Number((at / 1e6).toFixed(6));
let changedAt = second;
let changedMs = Date.now();
function quote(): void {
  if (isChanging) {
    changedAt = second;
    changedMs = Date.now();
  }
  for (const venue of VENUES)
    if (!silent.has(venue))
      market.quote(
        venue,
        ...BASES.map((base) => ({ symbol: `${base}USDT`, mark: 100, rate: rateAt(changedAt), interval: 8 })),
      );
  market.pass(0);
}
quote();

const pad = 'x'.repeat(300);
const free = new RowStream({
  rows: () =>
    [...Array(5).keys()].map((at) => {
      const row = { key: `row ${at}`, at: changedMs, pad };
      return { key: row.key, version: changedAt, text: () => JSON.stringify(row) };
    }),
  keptRows: 1000,
  // Its own timer never comes round: it is turned as the paid ones are.
  everyMs: 2 ** 30,
  maxReaders: 5000,
  maxOfAddress: 5000,
});
const events = paidEventStream(rig.desk, rig.hall);
const idIn = (url = ''): string => url.slice(url.lastIndexOf('/') + 1);
const addressOf = (headers: NodeJS.Dict<string | string[]>): string => String(headers['x-reader']);
const server = createServer((request, response) => {
  const id = idIn(request.url);
  const refusal =
    id === 'free'
      ? free.open(request, response, 'free')
      : events.open(request, response, addressOf(request.headers), { id });
  if (refusal !== undefined) response.writeHead(refusal.code === 'no_data' ? 404 : 503).end(refusal.code);
});
server.on('upgrade', (request, socket, head) => {
  const id = idIn(request.url);
  if (events.upgrade?.({ request, socket, head }, addressOf(request.headers), { id }) === undefined)
    socket.destroy();
});

const reply = (message: Reply | Turned): unknown => process.send?.(message);

async function turn(): Promise<void> {
  second += 1;
  market.pass(SECOND);
  const madeAt = Date.now();
  quote();
  // Each goes first in turn, so that none of the two waits for the other more often.
  if (second % 2 === 0) rig.hall.turn();
  free.tick();
  if (second % 2 === 1) rig.hall.turn();
  // A server answers in the second in which it was asked, however fast the seconds pass.
  await shared?.answered();
  reply({ kind: 'turned', second, madeAt, faults: rig.faults.length });
}

async function answer(asked: Asked): Promise<void> {
  switch (asked.kind) {
    case 'turn':
      await turn();
      return;
    case 'silent':
      silent = new Set(asked.venues);
      return;
    case 'still':
      isChanging = false;
      return;
    case 'offer': {
      const selection = readSelection(asked.selection, market.market.view);
      if (!selection.ok) throw new Error(selection.error.detail);
      const offered = await rig.desk.offer(selection.value, asked.minutes);
      reply({ kind: 'reply', call: asked.call, value: { ...offered, selection: selection.value } });
      return;
    }
    case 'sold': {
      const { key, claimedAt, body } = asked;
      await rig.desk.sold({ key, claimedAt: asMs(claimedAt), payer: '0xbuyer' }, { body: Buffer.from(body) });
      reply({ kind: 'reply', call: asked.call, value: true });
      return;
    }
    case 'meters': {
      await shared?.answered();
      const value = asked.ids.map((id) => ({
        id,
        ...rig.record(id).meter,
        uses: rig.record(id).selection.uses,
      }));
      reply({ kind: 'reply', call: asked.call, value });
      return;
    }
    case 'stop':
      await rig.hall.stop();
      free.close();
      await rig.kill();
      process.exit(0);
  }
}
process.on('message', (asked: Asked) => void answer(asked));
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', 2048, () => {
  const { port } = server.address() as AddressInfo;
  reply({ kind: 'reply', call: 0, value: `http://127.0.0.1:${port}` });
});
