import type { SimConnection, SimSession } from '../venue.ts';
import type { World } from '../world.ts';
import { contractOf, DEXES, universeOf } from './hyperliquid-dexes.ts';
import { assetContext, l2Book } from './hyperliquid-rows.ts';
import { bookTime } from './stepped-book.ts';

interface Subscription {
  readonly type: string;
  readonly coin?: string;
}

/** Frame of a subscription at a time; undefined for a type that this chain does not know. */
function render({ type, coin }: Subscription, world: World, now: number): unknown {
  if (type === 'allDexsAssetCtxs') {
    const blocks = DEXES.map((dex) => {
      const rows = universeOf(world, dex).map((contract) => assetContext(contract, world, now));
      return [dex.name, rows] as const;
    });
    return { ctxs: blocks.sort(([a], [b]) => (a < b ? -1 : 1)) };
  }
  const contract = contractOf(world, coin);
  if (contract === undefined) return undefined;
  if (type === 'activeAssetCtx') return { coin, ctx: assetContext(contract, world, now) };
  if (type !== 'bbo') return undefined;
  const { time, levels } = l2Book(contract, world, now, 1);
  return { coin, time, bbo: levels.map((side) => side[0] ?? null) };
}

/**
 * A connection: every frame states everything of its subscription anew. An unknown coin or type closes it
 * without a word, as the chain's own does.
 */
export function hyperliquidSocket(connection: SimConnection, world: World): SimSession {
  const subscriptions = new Map<string, Subscription>();
  let now = 0;
  // A book that faults hold back shows the time it has reached.
  const bookOf = (coin: string): unknown => {
    const contract = contractOf(world, coin);
    if (contract === undefined) return undefined;
    const hand = connection.book?.(coin);
    const { levels, ...head } = l2Book(contract, world, bookTime(hand?.time(now) ?? now));
    const [bids = [], asks = []] = levels.map((side) => side.map(({ px, sz, n }) => [px, sz, n]));
    const shown = hand?.sides({ bids, asks }) ?? { bids, asks };
    const sides = [shown.bids, shown.asks].map((side) => side.map(([px, sz, n]) => ({ px, sz, n: n ?? 1 })));
    return { ...head, levels: sides };
  };
  const push = (subscription: Subscription): boolean => {
    const { type, coin = '' } = subscription;
    const data = type === 'l2Book' ? bookOf(coin) : render(subscription, world, now);
    if (data === undefined) return false;
    const about = type === 'l2Book' ? { symbol: coin, whole: true } : undefined;
    connection.send(JSON.stringify({ channel: type, data }), about);
    return true;
  };
  const subscribe = (subscription: Subscription): void => {
    const key = JSON.stringify(subscription);
    if (subscriptions.has(key)) {
      connection.send(JSON.stringify({ channel: 'error', data: `Already subscribed: ${key}` }));
      return;
    }
    const data = { method: 'subscribe', subscription };
    connection.send(JSON.stringify({ channel: 'subscriptionResponse', data }));
    if (push(subscription)) subscriptions.set(key, subscription);
    else connection.close();
  };
  return {
    onMessage(text) {
      const message = JSON.parse(text) as { method?: string; subscription?: Subscription };
      const { method, subscription } = message;
      if (method === 'ping') connection.send('{"channel":"pong"}');
      else if (method === 'subscribe' && typeof subscription?.type === 'string') subscribe(subscription);
      else if (method === 'unsubscribe') subscriptions.delete(JSON.stringify(subscription));
      else {
        const data = `Error parsing JSON into valid websocket request: ${text}`;
        connection.send(JSON.stringify({ channel: 'error', data }));
      }
    },
    onTick(t) {
      now = t;
      for (const subscription of subscriptions.values()) push(subscription);
    },
  };
}
