import type { Poll, VenueCall, VenueRequest } from '../adapter.ts';

const get = (path: string): readonly VenueRequest[] => [{ method: 'GET', path }];

/** The list of contracts. */
export function contractList(call: VenueCall, path: string): Poll {
  return { call, kind: 'instruments', everyMs: 300_000, weight: 1, requests: () => get(path) };
}

/** One call for all contracts. */
export function allSymbols(call: VenueCall, path: string, everyMs: number, weight: number): Poll {
  return { call, kind: 'quotes', everyMs, weight, requests: () => get(path) };
}

/** One call of weight 1 per contract, the most traded first. */
export function eachSymbol(call: VenueCall, path: string, everyMs: number): Poll {
  return {
    ...{ call, kind: 'quotes', everyMs, weight: 1, spread: true },
    requests: ({ instruments }) =>
      instruments.map(({ symbol }) => ({
        ...{ method: 'GET', path: `${path}?symbol=${encodeURIComponent(symbol)}`, symbol },
      })),
  };
}
