import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { KNOWN_VENUES } from '../../src/venues/registry.ts';

const NOW = asMs(Date.UTC(2026, 9, 20, 13, 20, 0));

/** What a venue wants of a client that is to stay connected. */
interface Rule {
  /** Pings of the client, not rarer than `atMostS` and not oftener than `atLeastS`. */
  readonly ping?: {
    readonly atLeastS?: number;
    readonly atMostS: number;
    /** The frame that counts as one, as it is parsed where it is JSON; without it a ping of the WebSocket protocol counts. */
    readonly frame?: unknown;
  };
  /** A ping that the venue sends in a frame, and the answer that it wants. */
  readonly pong?: readonly [ping: unknown, answer: unknown];
}

/** Pings of the venue by the WebSocket protocol, which the protocol answers. */
const OF_THE_PROTOCOL: Rule = {};
const ms = String(NOW);

/** As the venues document it or probes found it; where no period is published (hibachi, paradex), as other venues do. */
const RULES: Readonly<Record<string, Rule>> = {
  apex: {
    ping: { atMostS: 15, frame: { op: 'ping', args: [ms] } },
    pong: [
      { op: 'ping', args: ['1761069137485'] },
      { op: 'pong', args: ['1761069137485'] },
    ],
  },
  aster: OF_THE_PROTOCOL,
  backpack: OF_THE_PROTOCOL,
  binance: OF_THE_PROTOCOL,
  bingx: { pong: ['Ping', 'Pong'] },
  bitget: { ping: { atMostS: 30, frame: 'ping' } },
  bybit: { ping: { atMostS: 20, frame: { op: 'ping' } } },
  cryptocom: {
    pong: [
      { id: 1761069137485, method: 'public/heartbeat', code: 0 },
      { id: 1761069137485, method: 'public/respond-heartbeat' },
    ],
  },
  deribit: {
    ping: { atMostS: 60, frame: { jsonrpc: '2.0', id: 0, method: 'public/test', params: {} } },
    pong: [
      { jsonrpc: '2.0', method: 'heartbeat', params: { type: 'test_request' } },
      { jsonrpc: '2.0', id: 0, method: 'public/test', params: {} },
    ],
  },
  derive: { ping: { atMostS: 30 } },
  dydx: OF_THE_PROTOCOL,
  edgex: {
    ping: { atMostS: 30, frame: { type: 'ping', time: ms } },
    pong: [
      { type: 'ping', time: '1761069137485' },
      { type: 'pong', time: '1761069137485' },
    ],
  },
  extended: { ping: { atLeastS: 10, atMostS: 15 } },
  gate: { ping: { atMostS: 15, frame: { time: NOW / 1000, channel: 'futures.ping' } } },
  grvt: { ping: { atMostS: 300 } },
  hibachi: { ping: { atMostS: 30 } },
  htx: { pong: [{ ping: 1761069137485 }, { pong: 1761069137485 }] },
  hyperliquid: { ping: { atMostS: 60, frame: { method: 'ping' } } },
  kraken: { ping: { atMostS: 60 } },
  kucoin: { ping: { atLeastS: 1, atMostS: 18, frame: { id: '1', type: 'ping' } } },
  lighter: { ping: { atMostS: 120, frame: { type: 'ping' } }, pong: [{ type: 'ping' }, { type: 'pong' }] },
  mexc: { ping: { atLeastS: 10, atMostS: 20, frame: { method: 'ping' } } },
  nado: { ping: { atMostS: 30, frame: { method: 'ping', id: 0, client_time: ms } } },
  okx: { ping: { atMostS: 30, frame: 'ping' } },
  orderly: {
    ping: { atMostS: 10, frame: { event: 'ping' } },
    pong: [{ event: 'ping', ts: 1761069137485 }, { event: 'pong' }],
  },
  pacifica: { ping: { atLeastS: 20, atMostS: 30, frame: { method: 'ping' } } },
  paradex: { ping: { atMostS: 60 } },
  phemex: { ping: { atLeastS: 5, atMostS: 20, frame: { id: 0, method: 'server.ping', params: [] } } },
  whitebit: { ping: { atLeastS: 20, atMostS: 50, frame: { id: 0, method: 'ping', params: [] } } },
};

/** A frame as its receiver reads it: JSON, else text. */
function read(frame: string | undefined): unknown {
  return frame?.startsWith('{') ? JSON.parse(frame) : frame;
}

const STREAMING = KNOWN_VENUES.filter(({ streams, books }) => streams?.length || books?.stream);

describe.each(STREAMING)('$id', ({ id, streams = [], books }) => {
  const rule = RULES[id.replace(/-.*/, '')];
  const all = [...streams, ...(books?.stream === undefined ? [] : [{ name: 'books', ...books.stream }])];

  it.each(all)('$name pings and answers as the venue wants it', ({ keepAlive, pong }) => {
    if (rule === undefined) throw new Error('no rule is written down');
    const { ping } = rule;
    expect(keepAlive === undefined).toBe(ping === undefined);
    if (ping !== undefined && keepAlive !== undefined) {
      expect(keepAlive.everyMs).toBeLessThanOrEqual(ping.atMostS * 1000);
      expect(keepAlive.everyMs).toBeGreaterThanOrEqual((ping.atLeastS ?? 1) * 1000);
      expect(read(keepAlive.frame?.(NOW))).toEqual(ping.frame);
    }
    const [asked, answer] = rule.pong ?? [{}, undefined];
    expect(read(pong?.(asked))).toEqual(answer);
    expect(pong?.({})).toBeUndefined();
  });
});
