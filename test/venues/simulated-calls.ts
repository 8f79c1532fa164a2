import { createWorld } from '@perpmeter/sim/create-world';
import type { SimVenue } from '@perpmeter/sim/venue';
import type { SimContract } from '@perpmeter/sim/world';
import { describe, expect, it } from 'vitest';
import type { Decoded } from '../../src/domain/decoded.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import type { VenueAdapter, VenueRequest } from '../../src/venues/adapter.ts';
import { reasons } from './decode-call.ts';
import { callFor, contextOf } from './samples.ts';
import { type Pairing, renderRequest, runAdapter } from './sim-run.ts';

export const AT = Date.UTC(2026, 9, 20, 13, 20, 0);
export const world = createWorld(1);

/** A venue with its simulated counterpart, and the addresses of its calls by contract, with `*` for the contract. */
export interface SimulatedCalls {
  readonly adapter: VenueAdapter;
  readonly sim: SimVenue;
  /** The same settled rates by every call that has them. */
  readonly funding: readonly string[];
  readonly marks?: string;
  readonly interest?: readonly string[];
  readonly book: string;
  /** Calls about one contract that state metrics as well. */
  readonly singles: readonly string[];
  readonly unknown: string;
}

/** BTC, and a coin that trades in blocks or in large contracts. */
const TICKERS = ['BTC', 'PEPE'];

/** The answer of the simulated venue to a call about a contract, decoded; with or without its list of contracts. */
export function read(
  pairing: Pairing,
  contract: SimContract | undefined,
  url: string,
  known: boolean,
): Decoded {
  const path = url.replace('*', encodeURIComponent(contract?.symbol ?? ''));
  const request: VenueRequest = { method: 'GET', path };
  const call = callFor(pairing.adapter, path, 'GET');
  const answer = renderRequest(pairing, world, request, AT);
  if (call === undefined || answer === undefined) throw new Error(`no ${path}`);
  const { instruments } = known ? runOf(pairing) : { instruments: new Map() };
  return call.decode(JSON.parse(answer.body), contextOf([...instruments.values()], request));
}

const runs = new Map<VenueAdapter, ReturnType<typeof runAdapter>>();

function runOf(pairing: Pairing) {
  const run = runs.get(pairing.adapter) ?? runAdapter(pairing, world, AT);
  runs.set(pairing.adapter, run);
  return run;
}

/**
 * Checks beyond the acceptance checks of a simulated venue: rates charged, past marks and interest, books,
 * single calls.
 */
export function describeSimulatedCalls(test: SimulatedCalls): void {
  describe(`simulated ${test.adapter.id}`, () => {
    const { adapter, sim } = test;
    const pairing: Pairing = { adapter, sim, served: [sim] };

    function contractOf(ticker: string): SimContract {
      const live = world.contracts(sim.listing).filter((c) => c.kind === 'perp' && c.status === 'live');
      const found = live.find((c) => c.asset.ticker === ticker && c.quote === sim.listing.quotes[0]);
      if (found === undefined) throw new Error(`${adapter.id} lists no ${ticker}`);
      return found;
    }

    const ask = (url: string, contract: SimContract) => read(pairing, contract, url, true);

    if (test.funding.length > 0) {
      it.each(TICKERS)('reads the rates that were charged on %s', (ticker) => {
        const contract = contractOf(ticker);
        for (const url of test.funding) {
          const { funding, rejects } = ask(url, contract);
          expect(
            rejects.filter(({ detail }) => detail !== 'interval still running'),
            url,
          ).toEqual([]);
          expect(funding.length, url).toBeGreaterThanOrEqual(50);
          for (const point of funding) {
            expect(point.time % (contract.intervalHours * HOUR_MS)).toBe(0);
            expect(point.rate).toBeCloseTo(world.settledRate(contract, point.time), 7);
          }
        }
      });
    }

    if (test.marks !== undefined) {
      it.each(TICKERS)('reads past marks of %s per single unit', (ticker) => {
        const contract = contractOf(ticker);
        const { history, rejects } = ask(test.marks ?? '', contract);
        expect(rejects).toEqual([]);
        expect(history.length).toBeGreaterThanOrEqual(50);
        for (const { time, markPrice } of history) {
          expect((markPrice ?? 0) / world.mark(contract, time)).toBeCloseTo(1, 4);
        }
      });
    }

    if (test.interest !== undefined) {
      it.each(TICKERS)('reads past open interest of %s', (ticker) => {
        const contract = contractOf(ticker);
        for (const url of test.interest ?? []) {
          const { history, rejects } = ask(url, contract);
          expect(rejects, url).toEqual([]);
          expect(history.length).toBeGreaterThanOrEqual(50);
          for (const { time, openInterestBase } of history) {
            expect((openInterestBase ?? 0) / world.openInterest(contract, time)).toBeCloseTo(1, 2);
          }
        }
      });
    }

    it.each(TICKERS)('reads the book of %s in single units', (ticker) => {
      const contract = contractOf(ticker);
      const { books, rejects } = ask(test.book, contract);
      expect(rejects).toEqual([]);
      const truth = world.book(contract, AT, books[0]?.bids.length ?? 0);
      expect(truth.bids.length).toBeGreaterThanOrEqual(30);
      truth.asks.forEach(([price, size], i) => {
        const [gotPrice = 0, gotSize = 0] = books[0]?.asks[i] ?? [];
        expect(gotPrice / price).toBeCloseTo(1, 6);
        expect(gotSize / size).toBeCloseTo(1, 6);
      });
    });

    it.each(TICKERS)('says the same of %s in calls about one contract as in those about all', (ticker) => {
      const contract = contractOf(ticker);
      const whole: Readonly<Record<string, unknown>> = {
        fundingIntervalHours: contract.intervalHours,
        ...runOf(pairing).quotes.get(contract.symbol),
      };
      for (const url of test.singles) {
        const [quote] = ask(url, contract).quotes;
        expect(Object.keys(quote ?? {}).length, url).toBeGreaterThan(1);
        for (const [field, value] of Object.entries(quote ?? {})) {
          if (field === 'symbol' || field === 'venueTime' || typeof value !== 'number') continue;
          // Bounds may be in calls about one contract alone.
          if (field.startsWith('funding') && whole[field] === undefined) continue;
          expect(value / Number(whole[field]), `${url} ${field}`).toBeCloseTo(1, 4);
        }
      }
    });

    it('refuses what it does not list', () => {
      expect(reasons(read(pairing, undefined, test.unknown, true))).toEqual([[null, 'error_body']]);
    });
  });
}
