import Type, { type Static } from 'typebox';
import { storedNote, unitsNote } from '../domain/amount.ts';
import { iso } from '../domain/clock.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import { isRelisted } from '../domain/listing.ts';
import type { HistoricalValue } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { sinceListing } from '../history/since-listing.ts';
import type { MarketRow } from '../market/view.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { type ProductAnswer, productAnswer } from './answer/product-answer.ts';
import {
  canonicalIdName,
  nullable,
  number,
  oneOf,
  text,
  tickerName,
  timestamp,
  venueName,
} from './answer/schema.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/perp-oi-delta.json' with { type: 'json' };
import { answersAsOf } from './history/as-of.ts';
import { fromStore, nothingKnown, notStored, readerOf } from './history/stored.ts';
import { hoursName, hoursParameter } from './history/window.ts';
import { tickerParameter, venueParameter } from './rows/asked.ts';
import { contractFields, contractName } from './rows/contract-name.ts';
import { type Pair, selectPair } from './rows/select.ts';
import { openInterestTime } from './rows/value-times.ts';

/** A sample of our own lies at most so far from the time looked back to: so far they are apart on a slow machine. */
const WITHIN_MS = 5 * MINUTE_MS;
/** A value is looked for within this time: two points of a day are within it. */
const LOOKED_WITHIN_MS = 48 * HOUR_MS;

const answer = Type.Object({
  venue: venueName,
  ticker: tickerName,
  canonical_id: canonicalIdName,
  ...contractFields,
  lookback_hours: hoursName,
  current_oi: number('Now, units of the base asset'),
  past_oi: number('Then, units of the base asset'),
  current_oi_usd: nullable(number('Now, US dollars')),
  past_oi_usd: nullable(number('Then, US dollars')),
  delta_pct: nullable(
    number('(current - past) / past x 100 of the base units; null where the past was zero'),
  ),
  current_ts: timestamp('Time of the present value'),
  past_ts: timestamp(
    'Time of the past value: the nearest there is, at most five minutes from the time looked back to, or of backfilled ones the time between two',
  ),
  past_source: oneOf(['sampled', 'backfilled'], {
    description: 'Sampled by this service, or reported by the venue afterwards',
  }),
  units_note: text('What the figures count'),
  methodology: text('The formula of the figures, and what they leave out'),
});

type OiDelta = Static<typeof answer>;

export const perpOiDelta = answersAsOf(
  defineProduct({
    id: 'perp-oi-delta',
    path: '/v1/perp/oi-delta',
    access: 'paid',
    summary: 'Change of open interest',
    description:
      'Open interest of one ticker on one venue now against what it was some hours ago (24 by default, 168 at most), in units of the base asset and in US dollars, with the change in percent of the base units and both times.',
    tags: ['open-interest', 'history', 'change'],
    dependsOn: 'table-history',
    revisedAt: '2026-11-22T21:00:00.000Z',
    query: Type.Object({
      ticker: tickerParameter,
      venue: venueParameter,
      lookback_hours: hoursParameter('Hours looked back'),
    }),
    answer,
    example: { request: '/v1/perp/oi-delta?ticker=BTC&venue=binance&lookback_hours=24', answer: example },
    find: ({ ticker, venue }, { market }) => {
      const pair = selectPair(market, { ticker, venue });
      if (!pair.ok) return pair;
      const current = currentInterest(pair.value);
      return current.ok ? ok({ pair: pair.value, current: current.value }) : current;
    },
    compute: async ({ pair, current }, ports, { lookback_hours: hours }) => {
      const reader = readerOf(ports);
      const { canonicalId, row, ticker } = pair;
      const { venue } = row;
      const now = ports.clock.now();
      const other = notStored(ports, { ticker, canonicalId, venue, symbol: row.symbol });
      const at = asMs(now - hours * HOUR_MS);
      const moment = { canonicalId, venue, at };
      const present = fromStore(await reader.interestAt({ canonicalId, venue, at: now }, LOOKED_WITHIN_MS));
      if (!present.ok) return present;
      const listedAt = newestListing(present.value, row);
      const values = fromStore(await reader.interestAt(moment, LOOKED_WITHIN_MS));
      if (!values.ok) return values;
      const own = ownValues(values.value, row, listedAt);
      const past = pastValue(own, at);
      if (past !== undefined) return ok(oiDelta(pair, hours, current, past));
      const [nearest] = own;
      if (nearest === undefined) {
        if (other !== undefined) return fail(other);
        const scope = { canonicalId, venues: [venue], from: asMs(at - WITHIN_MS), to: asMs(at + WITHIN_MS) };
        return nothingKnown(reader, scope, 'interest', 'open interest');
      }
      const what = `No open interest of ${canonicalId} on ${venue} is known near enough to ${iso(at)}`;
      const detail = `${what}; the nearest known is of ${iso(nearest.at)}, ${nearest.origin}`;
      return fail({ code: 'no_data', detail });
    },
  }),
  'asset',
);

const METHODOLOGY =
  'delta_pct is (current_oi - past_oi) / past_oi x 100 of base units of one contract at two moments, each with its time; the past value is the nearest to the time looked back to; from before a rename of the asset it is that of the contract of then, in the present unit. Leaves out what happened in between, other contracts of the venue, and whether positions were opened or closed by longs or shorts. Naive baseline; not a profit forecast.';

/** Open interest of a pair that has any. 404 no_data where the venue states none. */
export function currentInterest({ row }: Pair): Result<number> {
  if (row.openInterestBase !== undefined) return ok(row.openInterestBase);
  const detail = `${row.venue} has stated no open interest for ${row.ticker} in the last 15 minutes`;
  return fail({ code: 'no_data', detail });
}

/** Since when the contract is listed that is shown now, as far as a value of it is stored. */
function newestListing(values: readonly HistoricalValue[], { symbol }: MarketRow): UnixMs | undefined {
  const listings = values.filter((listing) => listing.symbol === symbol).map(({ listedAt }) => listedAt);
  return listings.length === 0 ? undefined : asMs(Math.max(...listings));
}

/**
 * Values of the contract that is shown now, and from before it was listed those of the venue's contract under a former name
 * of the asset; of no earlier listing, which may have counted other units.
 *
 * @param values nearest first, of former names in the present unit
 * @param listedAt since when the present contract is known to be listed
 */
export function ownValues(
  values: readonly HistoricalValue[],
  row: MarketRow,
  listedAt: UnixMs | undefined,
): readonly HistoricalValue[] {
  const isShown = ({ symbol }: HistoricalValue): boolean => symbol === row.symbol;
  const own = values.filter(
    (value) =>
      isShown(value) &&
      (listedAt === undefined || value.listedAt === listedAt) &&
      !isRelisted(value.listedAt, row.listedAt),
  );
  const isEarlier = (value: HistoricalValue): boolean =>
    value.formerId === undefined && isShown(value) && !own.includes(value);
  if (values.some(isEarlier)) return own;
  const former = values.filter(
    (value) =>
      value.formerId !== undefined && !own.includes(value) && (listedAt === undefined || value.at < listedAt),
  );
  const kept = new Set(
    sinceListing(
      [...own, ...former].sort((a, b) => a.at - b.at),
      row,
    ),
  );
  return values.filter((value) => kept.has(value));
}

/**
 * The nearest value that stands for a time: a sample of our own within five minutes, or what the venue reported
 * afterwards within the time that lies between two of its points, since it tells of no moment between them.
 *
 * @param values nearest first
 */
export function pastValue(values: readonly HistoricalValue[], at: number): HistoricalValue | undefined {
  return values.find((value) => {
    const spacingMs = value.origin === 'backfilled' ? (value.spacingMs ?? 0) : 0;
    return Math.abs(value.at - at) <= Math.max(WITHIN_MS, spacingMs);
  });
}

/** A past value that a venue told afterwards may count otherwise than the present one. */
function noteOf(
  { openInterest, historicalOpenInterest }: VenueInfo,
  origin: HistoricalValue['origin'],
): string {
  const note = `current_oi and past_oi count units of the base asset. ${unitsNote('open_interest', openInterest)}`;
  return origin === 'backfilled' && historicalOpenInterest !== undefined
    ? `${note} ${storedNote(openInterest, historicalOpenInterest)}`
    : note;
}

/** delta_pct = (current - past) / past x 100, of base units. */
export function oiDelta(
  pair: Pair,
  lookbackHours: number,
  current: number,
  historical: HistoricalValue,
): ProductAnswer<OiDelta> {
  const { row, venue } = pair;
  const body: OiDelta = {
    venue: row.venue,
    ticker: pair.ticker,
    canonical_id: pair.canonicalId,
    ...contractName(row),
    lookback_hours: lookbackHours,
    current_oi: current,
    past_oi: historical.value,
    current_oi_usd: row.openInterestUsd ?? null,
    past_oi_usd: historical.valueUsd ?? null,
    delta_pct: historical.value === 0 ? null : ((current - historical.value) / historical.value) * 100,
    current_ts: iso(openInterestTime(row)),
    past_ts: iso(historical.at),
    past_source: historical.origin,
    units_note: noteOf(venue.info, historical.origin),
    methodology: METHODOLOGY,
  };
  return productAnswer(body, [row], [row.venue], openInterestTime);
}
