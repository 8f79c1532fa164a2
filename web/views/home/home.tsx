import type { JSX } from 'preact';
import type {
  HealthAnswer,
  PreviewFundingCurrentAnswer,
  PreviewFundingSignalAnswer,
} from '../../../packages/client/src/routes.ts';
import { isOperator, useAnswer } from '../../data/answers.ts';
import { useRowStream } from '../../data/row-stream.ts';
import { useHealth, usePrices, useVenueHealth } from '../../data/service.ts';
import { Figures, withUnit } from '../../parts/figures.tsx';
import { Part } from '../../parts/part.tsx';
import { Age, Shown } from '../../parts/states.tsx';
import { linkTo } from '../../place.ts';
import { bps, cost, count, percentOf } from '../../text/number.ts';
import { span } from '../../text/time.ts';
import { PriceList } from './price-list.tsx';
import { Sample } from './sample.tsx';
import { WaysToBuy } from './ways-to-buy.tsx';
import { WorkedPair } from './worked-pair.tsx';

export function Home(): JSX.Element {
  return (
    <div class="home">
      <section class="lead">
        <h1>Funding, prices and depth of perpetual futures, made comparable</h1>
        <p>
          One service reads more than thirty venues, keeps their true funding intervals, units and identities,
          and answers per HTTP request. No account and no key: a request is answered with a price, a wallet
          signs it, the answer comes. What is not known is said to be unknown, never zero.
        </p>
      </section>
      <State />
      <Signal />
      <Part title="Funding now, a sample">
        <SampleSection />
        <p class="fine">
          All assets on all venues, free and delayed: <a href={linkTo('matrix')}>funding matrix</a>.
        </p>
      </Part>
      <WorkedPair />
      <WaysToBuy />
      <Part title="What is sold">
        <Shown answer={usePrices()} what="the price list">
          {(paths) => <PriceList paths={paths} />}
        </Shown>
      </Part>
    </div>
  );
}

/** The state of the service, in five figures. */
function State(): JSX.Element {
  const health = useHealth();
  return (
    <section aria-label="State of the service">
      <Shown answer={health} what="the state of the service">
        {(body) => <FigureList health={body} />}
      </Shown>
    </section>
  );
}

function FigureList({ health }: { health: HealthAnswer }): JSX.Element {
  const { venues, store, payments } = health;
  const all = venues.live + venues.stale + venues.down;
  const selling = {
    remote: 'facilitator',
    self: 'own facilitator',
    sandbox: 'play money',
    off: 'off: all is free',
  };
  const kept =
    store.ok === null ? 'not kept' : store.ok ? 'writing' : (store.mode ?? 'not writing').replace('_', ' ');
  return (
    <Figures
      figures={[
        ['Data', health.data === 'live' ? 'Live' : 'Simulated', { look: health.data }],
        ['Venues live', withUnit(count(venues.live), `of ${count(all)}`)],
        ['Rows', count(health.rows)],
        ['Age of data, median venue', <MedianAge key="age" />],
        ['History', kept],
        [
          'Payments',
          isOperator ? 'none on this port' : selling[payments.mode],
          { look: payments.facilitator_ok === false || payments.ledger_ok === false ? 'bad' : '' },
        ],
      ]}
    />
  );
}

function MedianAge(): JSX.Element {
  const health = useVenueHealth();
  if (health.state !== 'ready') return <>–</>;
  const ages = health.body.flatMap(({ age_seconds }) => age_seconds ?? []).sort((a, b) => a - b);
  const middle = ages[Math.floor(ages.length / 2)];
  return <>{middle === undefined ? '–' : span(middle * 1000)}</>;
}

/** The one pair that is free. */
function Signal(): JSX.Element {
  const answer = useAnswer<PreviewFundingSignalAnswer>('/v1/preview/funding-signal', 5000);
  return (
    <section aria-labelledby="signal">
      <h2 id="signal">Widest funding pair that clears its fees</h2>
      <Shown answer={answer} what="the pair">
        {({ signal, note }) =>
          signal === null ? (
            <p class="empty">No pair clears its fees at the moment.</p>
          ) : (
            <>
              <Pair signal={signal} />
              <p class="fine">
                {note} All ranked pairs, sized to the books:{' '}
                <a href={linkTo('buy', { route: 'perp-arbitrage-funding-signal' })}>funding signal</a>.
              </p>
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Pair({ signal }: { signal: NonNullable<PreviewFundingSignalAnswer['signal']> }): JSX.Element {
  return (
    <p class="pair">
      <strong>{signal.ticker}</strong>
      <span class="leg short">
        short <b>{signal.short_venue}</b>
      </span>
      <span class="leg long">
        long <b>{signal.long_venue}</b>
      </span>
      <span>
        <b class="positive">{bps(signal.normalized_spread_8h_bps)}</b> bps per 8 h
      </span>
      <span>
        <b>{percentOf(signal.apr_spread_pct)}</b> % a year
      </span>
      <span>
        fees <b>{cost(signal.round_trip_fee_bps)}</b> bps
      </span>
      <span>
        age <Age at={signal.as_of} />
      </span>
    </p>
  );
}

function SampleSection(): JSX.Element {
  const answer = useAnswer<PreviewFundingCurrentAnswer>('/v1/preview/funding-current', 60_000);
  const live = useRowStream('/v1/stream/preview');
  return (
    <Shown answer={answer} what="the sample">
      {(preview) => (
        <Sample preview={live === undefined || live === 'off' ? preview : { ...preview, rates: live.body }} />
      )}
    </Shown>
  );
}
