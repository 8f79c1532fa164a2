import Type, { type Static } from 'typebox';
import { badParameter, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { readNumber } from '../../domain/read.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow, MarketView, TrackedVenue } from '../../market/view.ts';
import { listParameter } from '../answer/list-parameter.ts';
import { number, venueName } from '../answer/schema.ts';
import { selectVenue } from './select.ts';

/** Fees that a request names as those of its sender: they count in place of the public ones. */

/** No venue pays a larger rebate, and a fee above one percent is a slip of the pen. */
const LEAST_BPS = -5;
const MOST_BPS = 100;
const MOST_VENUES = 33;

/** The parameters of every product in which fees count. */
export const feesQuery = {
  fees: Type.Optional(
    listParameter(
      `My taker fees, bps by venue, in place of the public ones: binance:2.4,bybit:3 (${LEAST_BPS} to ${MOST_BPS}, at most ${MOST_VENUES} venues)`,
    ),
  ),
  maker: Type.Optional(listParameter('My maker fees, likewise: what orders that rest would pay')),
};

/** Fees of a request by venue, bps. */
export interface AskedFees {
  readonly taker: ReadonlyMap<VenueId, number>;
  readonly maker: ReadonlyMap<VenueId, number>;
}

/** The fees of a request that names none. */
export const PUBLIC_FEES: AskedFees = { taker: new Map(), maker: new Map() };

const feesPart = Type.Object({
  fees: Type.Optional(
    Type.Array(
      Type.Object({
        venue: venueName,
        taker_fee_bps: Type.Optional(number('Counts in place of the public taker fee, bps')),
        maker_fee_bps: Type.Optional(number('Fee of an order that rests, bps')),
      }),
      { description: 'The fees that the request names, by venue; only where it names some' },
    ),
  ),
});
/** The fees as an answer repeats them. */
export const feesField = feesPart.properties;

export function statedFees({ taker, maker }: AskedFees): Static<typeof feesPart> {
  const venues = [...new Set([...taker.keys(), ...maker.keys()])];
  if (venues.length === 0) return {};
  return {
    fees: venues.map((venue) => {
      const takerBps = taker.get(venue);
      return {
        venue,
        ...(takerBps !== undefined && { taker_fee_bps: takerBps }),
        ...statedMaker(maker.get(venue)),
      };
    }),
  };
}

const makerPart = Type.Object({
  maker_fee_bps: Type.Optional(number('Fee of an order that rests there, where maker names the venue')),
});
/** The maker fee beside the taker fee of one contract. */
export const makerField = makerPart.properties;

/** @param bps undefined where the request names none: nothing is stated then */
export const statedMaker = (bps: number | undefined): Static<typeof makerPart> =>
  bps === undefined ? {} : { maker_fee_bps: bps };

/** The end of a note on what figures leave out, where fees of the request count in them. */
export const feesNote = ({ taker }: AskedFees): string =>
  taker.size === 0 ? '' : ' Of the venues that fees names, the fee named there counts, not the public one.';

/**
 * The fees that a request names. 400 of what is no list of venue:bps within the bounds, or names a venue twice; 404
 * unknown_venue with the nearest ones.
 */
export function readFees(
  asked: { readonly fees?: string | undefined; readonly maker?: string | undefined },
  view: MarketView,
): Result<AskedFees> {
  if (asked.fees === undefined && asked.maker === undefined) return ok(PUBLIC_FEES);
  const taker = readFeeList('fees', asked.fees, view);
  if (!taker.ok) return taker;
  const maker = readFeeList('maker', asked.maker, view);
  return maker.ok ? ok({ taker: taker.value, maker: maker.value }) : maker;
}

/** One list of fees by venue, as `readFees` reads its two. */
export function readFeeList(
  parameter: string,
  text: string | undefined,
  view: MarketView,
): Result<ReadonlyMap<VenueId, number>> {
  const fees = new Map<VenueId, number>();
  if (text === undefined) return ok(fees);
  const entries = text.split(',');
  if (entries.length > MOST_VENUES) {
    return fail(badParameter(parameter, `must name at most ${MOST_VENUES} venues`));
  }
  for (const entry of entries) {
    const [name = '', fee, ...rest] = entry.split(':').map((part) => part.trim());
    const bps = rest.length === 0 ? readNumber(fee) : undefined;
    if (name === '' || bps === undefined) {
      const message = `must be venue:bps, as in binance:2.4,bybit:3; "${entry.trim().slice(0, 40)}" is not`;
      return fail(badParameter(parameter, message));
    }
    if (bps < LEAST_BPS || bps > MOST_BPS) {
      return fail(badParameter(parameter, `${name} must be from ${LEAST_BPS} to ${MOST_BPS} bps`));
    }
    // A fee may be of a venue that the answer is not held to.
    const venue = selectVenue(view.whole ?? view, name);
    if (!venue.ok) return fail(inList(parameter, text, venue.error));
    const { id } = venue.value.info;
    if (fees.has(id)) return fail(badParameter(parameter, `names ${id} more than once`));
    fees.set(id, bps);
  }
  return ok(fees);
}

/** A failure about a name of a list, with the list as it would be served. */
function inList(parameter: string, text: string, { corrections, ...failure }: Failure): Failure {
  const [first] = corrections ?? [];
  if (first === undefined || !('typed' in first)) return failure;
  const { typed, value } = first;
  const mended = text.split(',').map((entry) => {
    const [name = '', ...rest] = entry.split(':');
    return [name.trim() === typed ? value : name, ...rest].join(':');
  });
  return { ...failure, corrections: [{ parameter, value: mended.join(',') }] };
}

/**
 * Taker fee of a contract, bps: the one that the request names for its venue, else the contract's own where it
 * differs, else its venue's public base tier; undefined = unknown.
 */
export const takerFeeOf = (
  row: MarketRow,
  venue: TrackedVenue | undefined,
  { taker }: AskedFees = PUBLIC_FEES,
): number | undefined => taker.get(row.venue) ?? row.takerFeeBps ?? venue?.info.takerFeeBps;
