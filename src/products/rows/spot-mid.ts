import Type, { type Static } from 'typebox';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow } from '../../market/view.ts';
import type { Port } from '../../runtime/port.ts';
import { nullable, number, oneOf, text, timestamp } from '../answer/schema.ts';
import type { Ports } from '../define-product.ts';

/** Reasons for which no middle of a spot market stands beside a perpetual. */
const NO_SPOT_MID = {
  not_received: 'not all venues have been heard yet, and none of those that were has the asset',
  no_market: 'no venue has a spot market in dollars of the asset',
  stale: 'their quotes are older than a minute, or their venues are not live',
  not_stated: 'their bulk calls state neither two sides nor a middle',
  no_index: 'no index or mark of the perpetuals is of this time, so that nothing tells their asset',
  price_differs: 'their middles are more than 3 % from the index',
  rate_unknown:
    'there is a middle, and none with a rate between the two quote currencies (spot_basis_bps alone)',
} as const;
export type NoSpotMid = keyof typeof NO_SPOT_MID;
const WORDS = Object.keys(NO_SPOT_MID) as readonly NoSpotMid[];

/** The middle of a spot market beside a row of a perpetual. */
const spotMidSchema = Type.Object({
  spot_venue: nullable(
    text(
      'Venue of the spot market: that of the row where it has one with a rate between the currencies, else the one that trades most of the asset',
    ),
  ),
  spot_symbol: nullable(text("That venue's symbol of the pair")),
  spot_quote: nullable(text('Currency of spot_mid')),
  spot_relation: nullable(
    oneOf(['same', 'wrapped'], {
      description: 'wrapped: a bridged claim on the coin, and not that coin',
    }),
  ),
  spot_mid: nullable(number('Middle of best bid and ask of spot, else the middle that the venue states')),
  spot_basis_bps: nullable(
    number(
      '(mark_price - spot_mid) / spot_mid x 10000, in one currency; positive: the perpetual is above spot',
    ),
  ),
  spot_updated_at: nullable(timestamp('When the quotes were received')),
  spot_reason: nullable(
    oneOf(WORDS, {
      description: `Why spot_mid or spot_basis_bps is null: ${WORDS.map((word) => `${word}: ${NO_SPOT_MID[word]}`).join('; ')}`,
    }),
  ),
});

/** The same as fields of a row, of which none is there where the process reads no spot. */
export const spotMidFields = Type.Partial(spotMidSchema).properties;

/** A middle of spot, with the time of the quotes that it is of; undefined without them. */
export interface SpotMid {
  readonly fields: Static<typeof spotMidSchema>;
  readonly at: UnixMs | undefined;
}

/** Finds the middle of spot beside each of some rows of one asset. */
export type SpotMidsBeside = (
  rows: readonly MarketRow[],
  ports: Pick<Ports, 'market' | 'clock'>,
) => readonly SpotMid[];

/** Undefined where the process reads no spot. */
export const SPOT_MIDS: Port<SpotMidsBeside | undefined> = { name: 'spot mids', absent: undefined };
