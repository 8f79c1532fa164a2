import { gzipSync } from 'node:zlib';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { fineText } from '../format.ts';
import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';

/** Ticks between two pings of the server. */
const PING_TICKS = 5;
const TOPIC = /^market\.([^.]+)\.(mark_price|index)\.1min$/;

interface Request {
  readonly sub?: string;
  readonly unsub?: string;
  readonly id?: string;
}

/** The socket of index and mark candles. Every frame is gzip, the pings too. */
export function htxMarks(
  connection: SimConnection,
  contracts: readonly SimContract[],
  world: World,
): SimSession {
  const topics = new Set<string>();
  let now = 0;
  let ticks = 0;
  const send = (frame: unknown): void => connection.send(gzipSync(JSON.stringify(frame)));
  const contractOf = (topic: string): SimContract | undefined => {
    const symbol = TOPIC.exec(topic)?.[1];
    return contracts.find((one) => one.symbol === symbol && one.kind === 'perp');
  };
  const push = (topic: string): void => {
    const contract = contractOf(topic);
    // A suspended contract is acknowledged and silent.
    if (contract?.status === 'live') send({ ch: topic, tick: candle(contract, topic, world, now), ts: now });
  };
  return {
    onMessage(text) {
      const { sub, unsub, id } = JSON.parse(text) as Request;
      const topic = sub ?? unsub;
      if (topic === undefined) return;
      if (contractOf(topic) === undefined) {
        send({
          status: 'error',
          ts: now,
          id,
          'err-code': 'bad-request',
          'err-msg': `invalid topic ${topic}`,
        });
      } else if (sub === undefined) {
        topics.delete(topic);
        send({ id, status: 'ok', unsubbed: topic, ts: now });
      } else {
        topics.add(topic);
        send({ id, status: 'ok', subbed: topic, ts: now });
        push(topic);
      }
    },
    onTick(t) {
      now = t;
      ticks += 1;
      for (const topic of topics) push(topic);
      if (ticks % PING_TICKS === 0) send({ ping: t });
    },
  };
}

/** The running minute; its close is the price now. */
function candle(contract: SimContract, topic: string, world: World, now: number) {
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const price = (t: number) =>
    fineText(contract, topic.includes('.index.') ? world.index(contract, t) : world.mark(contract, t));
  const [open, close] = [price(start), price(now)];
  const [low, high] = [open, close].sort((a, b) => Number(a) - Number(b));
  const none = { amount: '0', vol: '0', count: '0', trade_turnover: '0' };
  return { id: start / 1000, open, close, high, low, ...none };
}
