import type { Decoder, PlanContext, Poll, VenueAdapter, VenueCall, VenueRequest } from '../adapter.ts';
import { decodeFunding } from './funding.ts';
import { marketsDecoder } from './markets.ts';
import { openInterestDecoder } from './open-interest.ts';
import type { CcxtCall, CcxtProfile } from './profile.ts';
import { PUBLISHED } from './published.ts';
import { tickersDecoder } from './tickers.ts';

const LISTING_MS = 600_000;
/** Calls that answer for all contracts at once. */
const BULK_MS = 15_000;
/** One call a contract, spread over this time; ccxt's own limiter may stretch it. */
const EACH_MS = 60_000;
const OPEN_INTEREST_MS = 20_000;
const OPEN_INTEREST_EACH_MS = 180_000;
const INTERVALS_MS = 600_000;

/** A unified call as a request: the call's name as the path, with ccxt's symbol where it is about one contract. */
export function unifiedRequest(call: CcxtCall, unifiedSymbol?: string): VenueRequest {
  const query = unifiedSymbol === undefined ? '' : `?symbol=${encodeURIComponent(unifiedSymbol)}`;
  return { method: 'GET', path: `/${call}${query}` };
}

const asCall = (name: CcxtCall, decode: Decoder): VenueCall => ({ name, path: `/${name}`, decode });

/**
 * A venue that is read through ccxt's unified calls: which are asked follows from what the exchange offers. Its
 * number is given on first sight; taker fee and index are learned from its own data.
 */
export function ccxtAdapter(profile: CcxtProfile): VenueAdapter {
  const { id, displayName, kind, offers } = profile;
  const bulkRates = offers('fetchFundingRates');
  return {
    id,
    displayName,
    kind,
    source: 'ccxt',
    hasIndex: false,
    index: {
      family: 'unknown',
      description: 'ccxt does not say where the index comes from',
      evidence: 'unknown',
    },
    ...PUBLISHED,
    bases: { rest: `ccxt://${id}` },
    // ccxt's own limiter keeps the documented rates; here refusals only pause all calls together.
    budget: { id: `ccxt ${id}`, pools: [] },
    refreshMs: bulkRates ? BULK_MS : EACH_MS,
    polls: pollsOf(profile),
    baseOf: () => undefined,
  };
}

/** Nobody has looked which unified calls of an exchange have rows. */
const UNDECLARED = 'what an exchange states through ccxt is not described';

function pollsOf(profile: CcxtProfile): readonly Poll[] {
  const interest = openInterestDecoder(profile.id);
  const tickers = tickersDecoder(profile.id);
  const listing: Poll = {
    call: asCall('loadMarkets', marketsDecoder(profile)),
    kind: 'instruments',
    everyMs: LISTING_MS,
    weight: 1,
    requests: () => [unifiedRequest('loadMarkets')],
  };
  const markets = [
    ...bulkOrEach(profile, ['fetchFundingRates', 'fetchFundingRate'], decodeFunding, BULK_MS, EACH_MS),
    ...bulkOrEach(profile, ['fetchTickers', 'fetchTicker'], tickers, BULK_MS, EACH_MS),
    ...bulkOrEach(
      profile,
      ['fetchOpenInterests', 'fetchOpenInterest'],
      interest,
      OPEN_INTEREST_MS,
      OPEN_INTEREST_EACH_MS,
    ),
  ];
  const further = [
    bulk(profile, 'fetchMarkPrices', tickers, BULK_MS),
    bulk(profile, 'fetchBidsAsks', tickers, BULK_MS),
    bulk(profile, 'fetchFundingIntervals', decodeFunding, INTERVALS_MS),
  ];
  return [listing, ...markets, ...further].filter((poll) => mayBeAsked(profile, poll));
}

function mayBeAsked({ offers }: CcxtProfile, poll: Poll): boolean {
  const name = poll.call.name as CcxtCall;
  return name === 'loadMarkets' || offers(name);
}

function bulk({ offers }: CcxtProfile, call: CcxtCall, decode: Decoder, everyMs: number): Poll {
  const requests = (): readonly VenueRequest[] => (offers(call) ? [unifiedRequest(call)] : []);
  return { call: asCall(call, decode), kind: 'quotes', everyMs, weight: 1, requests, mayBeEmpty: UNDECLARED };
}

/** One call for all contracts; one for each of them only where the exchange has no other. */
function bulkOrEach(
  profile: CcxtProfile,
  [all, one]: readonly [CcxtCall, CcxtCall],
  decode: Decoder,
  allMs: number,
  eachMs: number,
): readonly Poll[] {
  const { offers } = profile;
  const each = ({ instruments }: PlanContext): readonly VenueRequest[] => {
    if (offers(all)) return [];
    return instruments.map(({ symbol, altId = symbol }) => ({ ...unifiedRequest(one, altId), symbol }));
  };
  const spread: Poll = {
    call: asCall(one, decode),
    kind: 'quotes',
    everyMs: eachMs,
    weight: 1,
    requests: each,
    spread: true,
    mayBeEmpty: UNDECLARED,
  };
  return [bulk(profile, all, decode, allMs), spread];
}
