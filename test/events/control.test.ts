import { describe, expect, it } from 'vitest';
import { eventVenueOf } from '../../src/modules/events/registry.ts';

const EMPTY = { liquidations: [], trades: [], rejects: [] };
const decode = (venue: string, payload: unknown) =>
  eventVenueOf(venue)?.decode(payload, { instruments: new Map() });

describe('frames without events', () => {
  it.each([
    ['binance', { result: null, id: 1 }],
    ['bybit', { success: true, ret_msg: '', op: 'subscribe', conn_id: 'c' }],
    ['bybit', { op: 'pong', args: ['1'], conn_id: 'c' }],
    ['okx', { event: 'subscribe', arg: { channel: 'liquidation-orders', instType: 'SWAP' }, connId: 'c' }],
    ['bitget', { event: 'subscribe', arg: { instType: 'usdt-futures', topic: 'liquidation' } }],
    ['bitget', 'pong'],
    ['gate', { time: 1, channel: 'futures.trades', event: 'subscribe', result: { status: 'success' } }],
    ['htx', { op: 'ping', ts: '1793715316170' }],
    ['htx', { ping: 1_793_715_316_170 }],
    ['htx', { op: 'sub', cid: '1', topic: 'public.*.liquidation_orders', ts: 1, 'err-code': 0 }],
    ['kraken', { event: 'subscribed', feed: 'trade', product_ids: ['PF_XBTUSD'] }],
    ['deribit', { jsonrpc: '2.0', id: 1, result: ['trades.future.any.100ms'] }],
    ['lighter', { session_id: 's', type: 'connected' }],
    ['dydx', { type: 'connected', connection_id: 'c', message_id: 0 }],
    ['hyperliquid', { channel: 'subscriptionResponse', data: { method: 'subscribe' } }],
    ['hyperliquid', { channel: 'pong' }],
    ['cryptocom', { id: 1, code: 0, method: 'public/heartbeat' }],
    ['mexc', { channel: 'rs.sub.deal', data: 'success', ts: 1 }],
    ['kucoin', { id: 'w', type: 'welcome' }],
    ['whitebit', { id: 1, result: { status: 'success' }, error: null }],
    ['paradex', { jsonrpc: '2.0', result: { channel: 'trades.ALL' }, id: 1 }],
    ['orderly', { event: 'subscribe', success: true, ts: 1 }],
    ['pacifica', { channel: 'subscribe', data: { source: 'trades', symbol: 'BTC' } }],
  ])('%s: neither events nor a fault of %j', (venue, payload) => {
    expect(decode(venue, payload)).toEqual(EMPTY);
  });

  it.each([
    ['bybit', { op: 'subscribe', data: [{ s: 'BTCUSDT' }] }],
    ['dydx', { type: 'subscribed', channel: 7, contents: { trades: [] } }],
    ['okx', { event: 'error', code: '60018', msg: 'wrong channel' }],
    ['deribit', { jsonrpc: '2.0', id: 1, error: { code: -32_602 } }],
    ['deribit', { jsonrpc: '2.0', id: 1, result: { has_more: false } }],
    ['binance', 'maintenance'],
  ])('%s: a frame that is no event and should be one, or an error: a fault', (venue, payload) => {
    expect(decode(venue, payload)).toMatchObject({ rejects: [{ reason: 'unexpected_shape' }] });
  });
});
