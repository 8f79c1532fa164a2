import type { SimConnection, SimSession, SimVenue } from '@perpmeter/sim/venue';

/** A venue of no real exchange, for tests of the server itself. */
export function toyVenue(id: string, changes: Partial<SimVenue> = {}): SimVenue {
  const listing = {
    venue: id,
    quotes: ['USDT'],
    count: 60,
    classes: ['crypto' as const],
    intervalHours: () => 8,
    symbol: (base: string, quote: string) => base + quote,
  };
  return {
    id,
    listing,
    limit: { weight: 1000, perMs: 60_000, status: 429, body: '{"code":-1003}', usedHeader: 'x-used-weight' },
    rest: (request, world) => {
      if (request.path === '/marks') {
        const marks = world
          .contracts(listing)
          .map((contract) => ({ symbol: contract.symbol, mark: world.mark(contract, request.now) }));
        return { status: 200, body: JSON.stringify({ time: request.now, marks }), weight: 40 };
      }
      if (request.path === '/echo') {
        const { method, body } = request;
        return { status: 200, body: JSON.stringify({ method, query: request.query.get('q'), body }) };
      }
      return undefined;
    },
    socket: (connection) => new ToySession(connection),
    ...changes,
  };
}

class ToySession implements SimSession {
  readonly #connection: SimConnection;
  #subscribed = false;

  constructor(connection: SimConnection) {
    this.#connection = connection;
  }

  onMessage(text: string): void {
    if (text === 'fail') throw new Error('no such frame');
    this.#subscribed = true;
    this.#connection.send(JSON.stringify({ subscribed: text, path: this.#connection.path }));
  }

  onTick(now: number): void {
    if (this.#subscribed) this.#connection.send(JSON.stringify({ now }));
  }
}
