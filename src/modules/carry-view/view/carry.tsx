import type { JSX } from 'preact';
import type { PerpArbitrageCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { useKeptChoice } from '../../../../web/data/kept-choice.ts';
import { Age } from '../../../../web/parts/states.tsx';
import { linkTo, usePlace } from '../../../../web/place.ts';
import { count } from '../../../../web/text/number.ts';
import { KEPT, scanPath } from './carry-calls.ts';
import { CarryFilters } from './carry-filters.tsx';
import { CarryTable } from './carry-table.tsx';
import { scanColumns } from './scan-columns.tsx';
import { SpotShown } from './spot-shown.tsx';

type Scan = PerpArbitrageCashCarryAnswer;

const EVERY_MS = 10_000;

/** Cash and carry of all assets: of each the pair of a spot market and a perpetual that nets most. */
export function Carry(): JSX.Element {
  const { params } = usePlace();
  // Before it is known what is kept, a call would be made for nothing.
  const isChosen = useKeptChoice(KEPT);
  const path = scanPath(params);
  const answer = useAnswer<Scan>(isChosen ? path : undefined, EVERY_MS);
  return (
    <>
      <div class="head">
        <h1>Cash and carry</h1>
        <p class="fine">
          Of each asset the spot market and the perpetual whose carry nets most after all costs.
        </p>
      </div>
      <CarryFilters isOfAll />
      <SpotShown answer={answer} what="the carry of all assets">
        {(scan, { at }) => <Ranked scan={scan} at={at} path={path} />}
      </SpotShown>
    </>
  );
}

const REASONS: Readonly<Record<keyof Scan['unassessed'], string>> = {
  no_spot: 'without a spot market in dollars',
  too_small: 'with less open interest',
  apart: 'with prices more than 3 % apart',
  input_unknown: 'of which an input is not known',
  beyond_borrow_limit: 'of which less can be borrowed than the size',
};

/** The assets without a pair, by reason. */
function unassessedText(unassessed: Scan['unassessed']): string {
  const reasons = Object.entries(REASONS) as [keyof Scan['unassessed'], string][];
  return reasons
    .flatMap(([name, text]) => (unassessed[name] > 0 ? [`${count(unassessed[name])} ${text}`] : []))
    .join(', ');
}

interface RankedProps {
  readonly scan: Scan;
  readonly at: number;
  readonly path: string;
}

function Ranked({ scan, at, path }: RankedProps): JSX.Element {
  const { params } = usePlace();
  const { opportunities, assessed, unassessed, methodology } = scan;
  const others = unassessedText(unassessed);
  return (
    <>
      <p class="fine">
        <span role="status">
          {count(opportunities.length)} of {count(assessed)} assets with a pair
        </span>
        ; read <Age at={at} /> ago{others !== '' && `. Left out: ${others}`}
      </p>
      {opportunities.length === 0 ? (
        <p class="notice">
          No pair passes these filters. <a href={linkTo('carry', { min_oi: 0 })}>Take them off</a>
        </p>
      ) : (
        <CarryTable
          id="carry"
          name="cash-and-carry"
          caption="Cash and carry by asset"
          columns={scanColumns(scan, params)}
          rows={opportunities}
          keyOf={({ canonical_id: id }) => id}
          first="-all_in_net_apr_pct"
          paths={[path]}
        />
      )}
      <details class="fine">
        <summary>How it is made</summary>
        <p>{methodology}</p>
      </details>
    </>
  );
}
