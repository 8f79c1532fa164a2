import type { ComponentChildren, JSX } from 'preact';
import type { PerpCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { type Figure, Figures, withUnit } from '../../../../web/parts/figures.tsx';
import { sideOf } from '../../../../web/parts/rate.tsx';
import { Tools } from '../../../../web/parts/tools.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { bps, cost, percentOf, rounded, usd } from '../../../../web/text/number.ts';
import { type AssetPair, DIRECTION_TEXT } from './pair-columns.tsx';
import { USUAL_DAYS, usualOf } from './usual-gap.ts';

type Number = number | null | undefined;
type Write = (value: Number) => string;

/** A number with its unit, or the reason for which it is not known. */
const said = (value: Number, why: string | undefined, write: Write, unit: string): ComponentChildren =>
  value === null || value === undefined ? (
    <small>
      <Unknown why={why} />
    </small>
  ) : (
    withUnit(write(value), unit)
  );

/** The income and the costs of a pair. */
function figuresOf(pair: AssetPair, holdDays: number): readonly Figure[] {
  const { gap, null_reasons: why = {}, direction } = pair;
  const usual = usualOf(pair);
  const slippage = pair.entry_slippage_bps === null ? null : 2 * pair.entry_slippage_bps;
  const borrow: readonly Figure[] =
    direction === 'long_spot'
      ? []
      : [['Borrow', said(pair.borrow_8h_bps, why.borrow_8h_bps, cost, 'bps per 8 h')]];
  return [
    ['Entry gap', said(gap.executable_bps, gap.null_reasons?.executable_bps, bps, 'bps'), ENTRY_GAP],
    [
      `Usual gap, ${USUAL_DAYS} d`,
      said(usual?.mean_bps, usual?.null_reasons?.mean_bps, bps, 'bps'),
      { about: 'Mean of the gap between both middles' },
    ],
    [
      'Funding',
      said(pair.funding_8h_bps, why.funding_8h_bps, bps, 'bps per 8 h'),
      { look: sideOf(pair.funding_8h_bps), about: 'Received by the pair at the rate of now' },
    ],
    ...borrow,
    ['Fees, in and out', said(pair.round_trip_fee_bps, why.round_trip_fee_bps, cost, 'bps')],
    ['Slippage, in and out', said(slippage, why.entry_slippage_bps, cost, 'bps')],
    [
      'All costs',
      said(pair.all_in_cost_bps, why.all_in_cost_bps, cost, 'bps'),
      { about: 'With the gap, where it is likely to be lost' },
    ],
    ['Even after', said(pair.days_to_breakeven, why.days_to_breakeven, rounded, 'd')],
    [
      `Net, held ${rounded(holdDays)} d`,
      said(pair.all_in_net_apr_pct, why.all_in_net_apr_pct, percentOf, '% a year'),
      { look: sideOf(pair.all_in_net_apr_pct) },
    ],
    ['Largest size', said(pair.max_notional_usd, why.max_notional_usd, usd, ''), FILLED],
  ];
}

const FILLED = {
  about:
    'The largest of 1,000, 5,000 and 10,000 USD that both books take, and that can be borrowed where spot is sold',
};
const ENTRY_GAP = {
  about: 'Price of the leg that is sold over that of the one that is bought, as both can be entered now',
};

interface CarryNowProps {
  readonly carry: PerpCashCarryAnswer;
  readonly pair: AssetPair;
  readonly path: string;
}

/** The pair at present prices and rates. */
export function CarryNow({ carry, pair, path }: CarryNowProps): JSX.Element {
  return (
    <section>
      <p class="fine">
        {DIRECTION_TEXT[pair.direction]}: spot on {pair.spot_venue} in {pair.spot_quote}, the perpetual on{' '}
        {pair.perp_venue} in {pair.perp_quote}. {!pair.same_venue && 'Neither leg is margin of the other. '}
        {pair.relation === 'wrapped' && 'The spot leg is a bridged claim on the coin, and not that coin. '}
        {pair.price_warning && (
          <span class="stale">
            The spot price is {bps(pair.index_difference_bps)} bps from the index: a price may be old, or of
            another asset.
          </span>
        )}
      </p>
      <Figures figures={figuresOf(pair, carry.holding_days)} label="The pair now" />
      <Tools name="carry-now" paths={[path]} />
      <details class="fine">
        <summary>How it is made</summary>
        <p>{carry.methodology}</p>
      </details>
    </section>
  );
}
