import { gzipSync } from 'node:zlib';
import { MINUTE_MS } from '../../../../src/runtime/duration.ts';
import { fineText } from '../format.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { SocketSession } from './socket-session.ts';

/** Ticks between two pings of the server. */
const PING_TICKS = 5;
const TOPIC = /^market\.([^.]+)\.(mark_price|index)\.1min$/;

interface Request {
  readonly sub?: string;
  readonly unsub?: string;
  readonly id?: string;
}

/** The socket of index and mark candles. Every frame is gzip, the pings too. */
export class HtxMarksSocket extends SocketSession {
  readonly #contracts: readonly SimContract[];
  readonly #topics = new Set<string>();
  #ticks = 0;

  constructor(connection: SimConnection, contracts: readonly SimContract[], world: World) {
    super(connection, world);
    this.#contracts = contracts;
  }

  onMessage(text: string): void {
    const { sub, unsub, id } = JSON.parse(text) as Request;
    const topic = sub ?? unsub;
    if (topic === undefined) return;
    const ts = this.now;
    if (this.#contractOf(topic) === undefined) {
      const error = { 'err-code': 'bad-request', 'err-msg': `invalid topic ${topic}` };
      this.send({ status: 'error', ts, id, ...error });
    } else if (sub === undefined) {
      this.#topics.delete(topic);
      this.send({ id, status: 'ok', unsubbed: topic, ts });
    } else {
      this.#topics.add(topic);
      this.send({ id, status: 'ok', subbed: topic, ts });
      this.#push(topic);
    }
  }

  protected tick(): void {
    this.#ticks += 1;
    for (const topic of this.#topics) this.#push(topic);
    if (this.#ticks % PING_TICKS === 0) this.send({ ping: this.now });
  }

  #contractOf(topic: string): SimContract | undefined {
    const symbol = TOPIC.exec(topic)?.[1];
    return this.#contracts.find((contract) => contract.symbol === symbol && contract.kind === 'perp');
  }

  /** A suspended contract is acknowledged and silent. */
  #push(topic: string): void {
    const contract = this.#contractOf(topic);
    if (contract?.status !== 'live') return;
    this.send({ ch: topic, tick: candle(contract, topic, this.world, this.now), ts: this.now });
  }

  protected override send(frame: unknown): void {
    this.connection.send(gzipSync(JSON.stringify(frame)));
  }
}

/** The running minute; its close is the price now. */
function candle(contract: SimContract, topic: string, world: World, now: number) {
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const price = (t: number) =>
    fineText(contract, topic.includes('.index.') ? world.index(contract, t) : world.mark(contract, t));
  const open = price(start);
  const close = price(now);
  const [low, high] = [open, close].sort((a, b) => Number(a) - Number(b));
  const none = { amount: '0', vol: '0', count: '0', trade_turnover: '0' };
  return { id: start / 1000, open, close, high, low, ...none };
}
