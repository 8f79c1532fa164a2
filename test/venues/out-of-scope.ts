import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { OutOfScopeReason } from '../../src/domain/reject.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import { decodeCall } from './decode-call.ts';

/** Shapes of one venue's answers and frames about a contract, by the address or channel of the call. */
export type Calls = readonly (readonly [url: string, payload: unknown])[];

/** A contract of ours, symbols that are none with the reason, and the calls about one. */
export interface OutOfScope {
  readonly ours: string;
  readonly outOfScope: Readonly<Record<string, OutOfScopeReason>>;
  readonly calls: (symbol: string) => Calls;
}

export const TIME = 1_790_000_000_000;
export const LEVELS = { bids: [['99', '1']], asks: [['101', '1']] };

const instrument = (venue: string, symbol: string): Instrument => ({
  venue,
  symbol,
  base: 'BTC',
  ticker: 'BTC',
  multiplier: 1,
  contractSize: 1,
  quote: 'USDT',
  settle: 'USDT',
});

/** A suite on a venue whose symbols say what is out of scope. */
export function describeOutOfScope(adapter: VenueAdapter, example: OutOfScope): void {
  describe(`a symbol of ${adapter.id} that is out of scope by its name`, () => {
    it('every call, with or without a list: rejected with its reason', () => {
      for (const list of [[], [instrument(adapter.id, example.ours)]]) {
        for (const [symbol, reason] of Object.entries(example.outOfScope)) {
          for (const [url, payload] of example.calls(symbol)) {
            const { quotes, funding, history, books, rejects } = decodeCall(adapter, url, payload, list);
            const found = rejects.map((reject) => [reject.symbol, reject.reason]);
            expect([found, quotes, funding, history, books], `${url} of ${symbol}`).toEqual([
              [[symbol, reason]],
              ...Array(4).fill([]),
            ]);
          }
        }
        for (const [url, payload] of example.calls(example.ours)) {
          const { rejects } = decodeCall(adapter, url, payload, list);
          const outOfScope = rejects.filter(({ reason }) =>
            Object.values(example.outOfScope).includes(reason as OutOfScopeReason),
          );
          expect(outOfScope, url).toEqual([]);
        }
      }
    });
  });
}
