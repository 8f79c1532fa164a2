import type { ComponentChildren } from 'preact';
import type { PerpArbitrageCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { ages } from '../../../../web/parts/columns.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import { linkTo } from '../../../../web/place.ts';
import { usd } from '../../../../web/text/number.ts';
import { chosenTerms } from './carry-calls.ts';
import { figureColumns, known, LEG_COLUMNS, pairColumn, type ScannedPair } from './pair-columns.tsx';

/** The size at the best prices; marked where it is less than the size that was asked for. */
function touchText({ touch_usd: touch, fills_at_touch: fills }: ScannedPair): ComponentChildren {
  if (fills !== false) return usd(touch);
  return (
    <span class="stale" title="Less than the size of a leg">
      {usd(touch)} &lt;
    </span>
  );
}

const TOUCH = known<ScannedPair>('touch_usd', 'At the touch', 'USD', () => null, {
  about: 'Smallest of the four sizes at the best prices',
});

/** Amounts of a pair, and its age. */
const AMOUNTS: readonly Column<ScannedPair>[] = [
  {
    ...TOUCH,
    show: (pair) => (pair.touch_usd === null ? TOUCH.show?.(pair) : touchText(pair)),
  },
  known('perp_open_interest_usd', 'Open interest', 'USD', usd),
  known('perp_volume_24h_usd', 'Perp volume 24 h', 'USD', usd),
  known('spot_volume_24h_usd', 'Spot volume 24 h', 'USD', usd),
  ages('updated_at', 'Age'),
];

/** The columns of a scan. @param params what the reader has chosen, which the links take along */
export function scanColumns(
  { holding_days: days }: Pick<PerpArbitrageCashCarryAnswer, 'holding_days'>,
  params: URLSearchParams,
): readonly Column<ScannedPair>[] {
  const terms = chosenTerms(params);
  const asset: Column<ScannedPair> = {
    id: 'ticker',
    title: 'Asset',
    value: ({ ticker }) => ticker,
    show: ({ ticker, canonical_id: id }) => (
      <a href={linkTo('asset', { ticker, id, market: 'spot', ...terms })}>{ticker}</a>
    ),
  };
  const pair = pairColumn<ScannedPair>(
    ({ ticker, canonical_id: id }) => ({ ticker, id, ...terms }),
    ({ ticker }) => ticker,
  );
  return [asset, ...pair, ...LEG_COLUMNS, ...figureColumns(days), ...AMOUNTS];
}
