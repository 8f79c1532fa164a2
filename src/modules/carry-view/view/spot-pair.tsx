import type { JSX } from 'preact';
import type { PerpCashCarryAnswer } from '../../../../packages/client/src/routes.ts';
import { useAnswer } from '../../../../web/data/answers.ts';
import { useKeptChoice } from '../../../../web/data/kept-choice.ts';
import { useVenues } from '../../../../web/data/service.ts';
import { choice, linkTo, usePlace } from '../../../../web/place.ts';
import { SIZES } from '../../../../web/text/size.ts';
import type { LegChoice, PairSectionProps } from '../../../../web/views/sections.ts';
import { KEPT, pairOf, pairPath } from './carry-calls.ts';
import { PairTerms } from './carry-filters.tsx';
import { CarryLegRows } from './carry-leg-rows.tsx';
import { CarryNow } from './carry-now.tsx';
import { type CarryLegs, legsNamed, noPairText, SPOT, spotLeg } from './named-legs.ts';
import { legsOf } from './pair-columns.tsx';
import { SpotPast } from './spot-past.tsx';
import { SpotShown } from './spot-shown.tsx';

const EVERY_MS = 10_000;

/** Sizes of a leg, the first one where the address says none. */
const LEG_SIZES = ['10000', ...SIZES.map(String).filter((size) => size !== '10000')] as const;
const OFFERED = SIZES.map(String);

/** A pair with a spot leg: now, and in the past. */
export function SpotPair(props: PairSectionProps): JSX.Element {
  const { short = '', long = '', bar } = props;
  const legs = legsNamed(short, long);
  const venues = useVenues();
  const names = venues.state === 'ready' ? venues.body.map(({ name }) => name).toSorted() : [];
  const size = choice(usePlace().params, 'size', LEG_SIZES);
  const drawn = (choice: Pick<LegChoice, 'short' | 'long' | 'legs'>): JSX.Element =>
    bar({ ...choice, size, sizes: OFFERED });
  if (legs !== undefined) return <Named {...props} legs={legs} venues={names} size={size} drawn={drawn} />;
  return (
    <>
      {drawn({ short, long, legs: [...names, SPOT] })}
      <p class="notice">Both legs are spot markets. One of them has to be a perpetual.</p>
    </>
  );
}

interface NamedProps extends PairSectionProps {
  readonly legs: CarryLegs;
  /** Venues of the service. */
  readonly venues: readonly string[];
  readonly size: string;
  readonly drawn: (choice: Pick<LegChoice, 'short' | 'long' | 'legs'>) => JSX.Element;
}

function Named({ ticker, query, short, long, legs, venues, size, drawn }: NamedProps): JSX.Element {
  const { params } = usePlace();
  // Before it is known what is kept, a call would be made for nothing.
  const isChosen = useKeptChoice(KEPT, ['ticker', 'id', 'short', 'long', 'spot_quote']);
  const path = pairPath(query, legs, size, params);
  const answer = useAnswer<PerpCashCarryAnswer>(isChosen ? path : undefined, EVERY_MS);
  const carry = answer.state === 'ready' ? answer.body : undefined;
  const pair = carry && pairOf(carry.pairs, legs, params.get('spot_quote'));
  // A leg that is not named is that of the pair which is shown.
  const found = pair && legsOf(pair);
  const spots = new Set(carry?.spot_markets.map(({ venue }) => spotLeg(venue)));
  return (
    <>
      {drawn({
        short: short ?? found?.short ?? '',
        long: long ?? found?.long ?? '',
        legs: [...venues, SPOT, ...[...spots].sort()],
      })}
      <PairTerms />
      <SpotShown answer={answer} what={`the carry of ${ticker}`}>
        {(body) =>
          pair === undefined ? (
            <NoPair carry={body} legs={legs} />
          ) : (
            <>
              <CarryNow carry={body} pair={pair} path={path} />
              <CarryLegRows carry={body} pair={pair} />
              <SpotPast ticker={ticker} query={query} pair={pair} size={size} />
            </>
          )
        }
      </SpotShown>
    </>
  );
}

/** Says that an answer has no pair of the legs, and leads to all pairs. */
function NoPair({ carry, legs }: { carry: PerpCashCarryAnswer; legs: CarryLegs }): JSX.Element {
  const { params } = usePlace();
  const { ticker, pairs, pairs_total: total } = carry;
  const id = params.get('id') ?? undefined;
  const text = noPairText(ticker, legs, total > pairs.length ? pairs.length : undefined);
  return (
    <p class="notice" role="status">
      {text} <a href={linkTo('asset', { ticker, id, market: SPOT })}>All pairs of {ticker}</a>
    </p>
  );
}
