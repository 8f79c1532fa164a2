import type { JSX } from 'preact';
import type { PerpCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Part } from '../../../../web/parts/part.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { Unknown } from '../../../../web/parts/unknown.tsx';
import { usePlace } from '../../../../web/place.ts';
import { bps, count, usd } from '../../../../web/text/number.ts';
import { assetPairsPath, chosenTerms } from './carry-calls.ts';
import { CarryFilters } from './carry-filters.tsx';
import { CarryTable } from './carry-table.tsx';
import { type AssetPair, figureColumns, known, LEG_COLUMNS, pairColumn } from './pair-columns.tsx';
import { SpotShown } from './spot-shown.tsx';
import { USUAL_DAYS, usualOf } from './usual-gap.ts';

const EVERY_MS = 10_000;

/** Columns of a pair alone: its usual gap, and the largest size that it can be entered at. */
const BOOK_COLUMNS: readonly Column<AssetPair>[] = [
  {
    id: 'usual_gap_bps',
    title: `Usual gap, ${USUAL_DAYS} d`,
    unit: 'bps',
    numeric: true,
    about: 'Mean of the gap between both middles, of the stored hours',
    value: (pair) => usualOf(pair)?.mean_bps,
    show: (pair) => {
      const usual = usualOf(pair);
      return usual?.mean_bps == null ? <Unknown why={usual?.null_reasons?.mean_bps} /> : bps(usual.mean_bps);
    },
  },
  known('max_notional_usd', 'Largest size', 'USD', usd, {
    about:
      'The largest of 1,000, 5,000 and 10,000 that both books fill, and that can be borrowed where spot is sold',
  }),
  known('visible_usd', 'Depth', 'USD', usd, { about: 'Smallest side of both books within 100 bps' }),
];

/** Every spot market of an asset against its perpetuals. */
export function AssetCarry({ ticker, query }: { ticker: string; query: string }): JSX.Element {
  const { params } = usePlace();
  const path = assetPairsPath(query, params);
  return (
    <Part title="Cash and carry">
      <CarryFilters isOfAll={false} />
      <SpotShown answer={useAnswer<PerpCashCarryAnswer>(path, EVERY_MS)} what={`the carry of ${ticker}`}>
        {(carry) => <Pairs carry={carry} params={params} path={path} />}
      </SpotShown>
    </Part>
  );
}

interface PairsProps {
  readonly carry: PerpCashCarryAnswer;
  readonly params: URLSearchParams;
  readonly path: string;
}

function Pairs({ carry, params, path }: PairsProps): JSX.Element {
  const { ticker, canonical_id: id, pairs, pairs_total: all, pairs_apart: apart } = carry;
  const terms = chosenTerms(params);
  const open = pairColumn<AssetPair>(
    () => ({ ticker, id, ...terms }),
    () => ticker,
  );
  const [trade, ...legs] = LEG_COLUMNS;
  const columns = [
    ...(trade === undefined ? [] : [trade]),
    ...open,
    ...legs,
    ...figureColumns(carry.holding_days),
    ...BOOK_COLUMNS,
  ];
  return (
    <>
      <p class="fine">
        <span role="status">
          The {count(pairs.length)} best of {count(all)} pairs
        </span>
        {apart > 0 && `; ${count(apart)} more stand more than 3 % apart`}
      </p>
      <CarryTable
        id="asset_carry"
        name={`${ticker}-carry`}
        caption={`Cash and carry of ${ticker}`}
        columns={columns}
        rows={pairs}
        keyOf={keyOf}
        first="-all_in_net_apr_pct"
        empty="No pair passes these filters."
        paths={[path]}
      />
      <details class="fine">
        <summary>How it is made</summary>
        <p>{carry.methodology}</p>
      </details>
    </>
  );
}

const keyOf = ({
  direction,
  spot_venue: spot,
  spot_symbol: symbol,
  perp_venue: perp,
  perp_symbol: contract,
}: AssetPair) => [direction, spot, symbol, perp, contract].join(' ');
