import type { JSX } from 'preact';
import type { PerpSnapshotAnswer } from '../../../packages/client/src/routes.ts';
import type { Answer } from '../../data/answer.ts';
import { useAnswer } from '../../data/answers.ts';
import { AssetField, Choices } from '../../parts/fields.tsx';
import { Figures, withUnit } from '../../parts/figures.tsx';
import { Shown } from '../../parts/states.tsx';
import { csvOf } from '../../parts/table.tsx';
import { Tools } from '../../parts/tools.tsx';
import { WatchLink } from '../../parts/watch-link.tsx';
import { choice, go, usePlace } from '../../place.ts';
import { SECTIONS } from '../../sections/asset.ts';
import { count, percent, price, usd } from '../../text/number.ts';
import type { AssetSection } from '../sections.ts';
import { AssetHistory } from './asset-history.tsx';
import { assetQuery } from './asset-query.ts';
import { Costs } from './costs.tsx';
import { Identity } from './identity.tsx';
import { VENUE_COLUMNS, VenueRows } from './venue-rows.tsx';

const EVERY_MS = 5000;
const NOT_FOUND = 404;
/** Kinds of market that modules bring, by their names in the address. */
const BROUGHT: ReadonlyMap<string, AssetSection> = new Map<string, AssetSection>(SECTIONS);
const MARKETS = ['perpetuals', ...BROUGHT.keys()] as const;

/** All that the address says beside the asset. */
const stateOf = (params: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...params].filter(([name]) => name !== 'ticker' && name !== 'id'));

/** Everything of one asset, on the markets of the kind that the reader has chosen. */
export function Asset(): JSX.Element {
  const { params } = usePlace();
  const { ticker, query } = assetQuery(params);
  const market = choice(params, 'market', MARKETS);
  const Brought = BROUGHT.get(market);
  const path = `/v1/perp/snapshot?${query}`;
  const answer = useAnswer<PerpSnapshotAnswer>(Brought === undefined ? path : undefined, EVERY_MS);
  return (
    <>
      <div class="head">
        <h1 class="named">
          {ticker} {answer.state === 'ready' && <small>{answer.body.canonical_id}</small>}
        </h1>
        <AssetField view="asset" ticker={ticker} keep={Brought === undefined ? {} : stateOf(params)} />
        {BROUGHT.size > 0 && <Markets market={market} />}
        <WatchLink
          kind="spread"
          ticker={params.get('id') ?? ticker}
          now={answer.state === 'ready' ? spreadBps(answer.body) : undefined}
          what={`the spread of ${ticker}`}
        />
      </div>
      <div class="stack">
        {Brought === undefined ? (
          <Perpetuals ticker={ticker} query={query} path={path} answer={answer} />
        ) : (
          <Brought ticker={ticker} query={query} />
        )}
      </div>
    </>
  );
}

/** The choice of a kind of market; the one before is a step back in the history. */
function Markets({ market }: { market: string }): JSX.Element {
  const { params } = usePlace();
  return (
    <Choices
      label="Markets"
      isLabelled={false}
      words={MARKETS}
      chosen={market}
      choose={(word) =>
        go('asset', { ...Object.fromEntries(params), market: word === MARKETS[0] ? undefined : word })
      }
    />
  );
}

interface PerpetualsProps {
  readonly ticker: string;
  readonly query: string;
  /** The call of the snapshot, and its answer. */
  readonly path: string;
  readonly answer: Answer<PerpSnapshotAnswer>;
}

function Perpetuals({ ticker, query, path, answer }: PerpetualsProps): JSX.Element {
  return (
    <>
      <Shown answer={answer} what={`the snapshot of ${ticker}`}>
        {(snapshot) => (
          <>
            <Totals snapshot={snapshot} />
            <VenueRows snapshot={snapshot}>
              <Tools
                name={`${ticker}-venues`}
                csv={() => csvOf(VENUE_COLUMNS, snapshot.venues)}
                paths={[path]}
              />
            </VenueRows>
            <Identity snapshot={snapshot} />
          </>
        )}
      </Shown>
      {/* Of what nobody lists, or of which it is not said what is meant, there is nothing else to say. */}
      {!(answer.state === 'failed' && (answer.status === NOT_FOUND || answer.candidates.length > 0)) && (
        <>
          <Costs ticker={ticker} query={query} />
          <AssetHistory
            ticker={ticker}
            query={query}
            snapshot={answer.state === 'ready' ? answer.body : undefined}
          />
        </>
      )}
    </>
  );
}

/** The widest spread of rates of eight hours, bps; null with fewer than two. */
function spreadBps({ venues }: PerpSnapshotAnswer): number | null {
  const rates = venues.flatMap(({ rate_8h }) => rate_8h ?? []);
  return rates.length < 2 ? null : (Math.max(...rates) - Math.min(...rates)) * 10_000;
}

function Totals({ snapshot }: { snapshot: PerpSnapshotAnswer }): JSX.Element {
  return (
    <Figures
      figures={[
        ['Venues', count(snapshot.venues_count)],
        ['Class', snapshot.asset_class],
        ['Mark, by volume', price(snapshot.volume_weighted_mark_price)],
        ['Rate, by open interest', withUnit(percent(snapshot.oi_weighted_rate_8h), '% per 8 h')],
        ['Open interest', usd(snapshot.total_open_interest_usd)],
        ['Volume 24 h', usd(snapshot.total_volume_24h_usd)],
      ]}
    />
  );
}
