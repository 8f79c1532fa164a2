import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { contractOf, DEXES, universeOf } from './hyperliquid-dexes.ts';
import { assetContext, bookData, bookSides } from './hyperliquid-rows.ts';
import { bookTime, SteppedBook } from './stepped-book.ts';

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
  const at = bookTime(now);
  const { time, levels } = bookData(contract, at, bookSides(contract, world, at, 1));
  return { coin, time, bbo: levels.map((side) => side[0] ?? null) };
}

/**
 * A connection: every frame states everything of its subscription again, a book's where the book has changed. An unknown coin or type closes it
 * without a word, as the chain's own does.
 */
export function hyperliquidSocket(connection: SimConnection, world: World): SimSession {
  const subscriptions = new Map<string, Subscription>();
  const books = new Map<string, SteppedBook>();
  let now = 0;
  const follow = (contract: SimContract): SteppedBook =>
    new SteppedBook((t) => bookSides(contract, world, t), now, connection.book?.(contract.symbol));
  const sendBook = (contract: SimContract, book: SteppedBook): void => {
    const data = bookData(contract, book.at, book.sides);
    connection.send(JSON.stringify({ channel: 'l2Book', data }), {
      symbol: contract.symbol,
      isSnapshot: true,
    });
  };
  const push = (key: string, subscription: Subscription): boolean => {
    const { type, coin } = subscription;
    if (type === 'l2Book') {
      const contract = contractOf(world, coin);
      if (contract === undefined) return false;
      const known = books.get(key);
      if (known !== undefined && known.advance(now) === undefined) return true;
      const book = known ?? follow(contract);
      books.set(key, book);
      sendBook(contract, book);
      return true;
    }
    const data = render(subscription, world, now);
    if (data === undefined) return false;
    connection.send(JSON.stringify({ channel: type, data }));
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
    if (push(key, subscription)) subscriptions.set(key, subscription);
    else connection.close();
  };
  return {
    onMessage(text) {
      const message = JSON.parse(text) as { method?: string; subscription?: Subscription };
      const { method, subscription } = message;
      if (method === 'ping') connection.send('{"channel":"pong"}');
      else if (method === 'subscribe' && typeof subscription?.type === 'string') subscribe(subscription);
      else if (method === 'unsubscribe') {
        const key = JSON.stringify(subscription);
        subscriptions.delete(key);
        books.delete(key);
        const data = { method, subscription };
        connection.send(JSON.stringify({ channel: 'subscriptionResponse', data }));
      } else {
        const data = `Error parsing JSON into valid websocket request: ${text}`;
        connection.send(JSON.stringify({ channel: 'error', data }));
      }
    },
    onTick(t) {
      now = t;
      for (const [key, subscription] of subscriptions) push(key, subscription);
    },
  };
}
