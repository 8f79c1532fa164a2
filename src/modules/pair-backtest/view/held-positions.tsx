import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { BacktestPairAnswer } from '../../../../packages/client/src/routes.ts';
import { whole } from '../../../../web/data/answer.ts';
import { useAnswers } from '../../../../web/data/answers.ts';
import { Choices } from '../../../../web/parts/fields.tsx';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import { change, choice, figure, usePlace } from '../../../../web/place.ts';
import { cost, usd } from '../../../../web/text/number.ts';
import { DAY_MS, serverNow } from '../../../../web/text/time.ts';
import { DAY_COLUMNS, HELD_COLUMNS, type Held, MADE_OF_COLUMNS } from './held-columns.tsx';
import type { Leg } from './pair-now.tsx';

const HELD_DAYS = [30, 7, 1] as const;
const DAY_WORDS = ['30', '7', '1'] as const;
const EVERY_MS = 300_000;
/** A rule of entry that any settled spread fulfils, and one of exit that none does: what is held is held to the end. */
const ALWAYS = 'enter_bps=-100000&exit_bps=-1000000';

interface HeldProps {
  readonly query: string;
  readonly short: Leg;
  readonly long: Leg;
  readonly size: string;
}

/** Whole days until the last midnight in UTC: a call that was bought stays the same for a day. */
function pathsOf({ query, short, long, size }: HeldProps, assumed: number | undefined): readonly string[] {
  const to = Math.floor(serverNow() / DAY_MS) * DAY_MS;
  const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
  const slippage = assumed === undefined ? '' : `&assumed_slippage_bps=${assumed}`;
  return HELD_DAYS.map((days) => {
    const rule = `${ALWAYS}&max_hold_hours=${days * 24}&size_usd=${size}${slippage}`;
    const window = `from=${iso(to - days * DAY_MS)}&to=${iso(to)}`;
    return `/v1/backtest/pair?${query}&short=${short.venue}&long=${long.venue}&${window}&${rule}`;
  });
}

const heldOf = (answer: BacktestPairAnswer): Held => ({
  days: Math.round((Date.parse(answer.to_ts) - Date.parse(answer.from_ts)) / DAY_MS),
  answer,
});

/** The slippage that counts where no book was stored; unknown until the reader says it. */
function Assumed({ short, long }: Pick<HeldProps, 'short' | 'long'>): JSX.Element {
  const assumed = figure(usePlace().params, 'assume');
  /** Typed text that is not entered yet stays when the figures around it change. */
  const [typed, setTyped] = useState<string>();
  const present =
    short.slippageBps === null || long.slippageBps === null
      ? null
      : Math.ceil(Math.max(short.slippageBps, long.slippageBps) * 100) / 100;
  return (
    <div class="bar">
      <label>
        Assumed slippage, bps
        <input
          type="number"
          min="0"
          step="0.1"
          placeholder="none"
          title="Of a fill of which no stored book gives it; without it such a fill is unknown"
          value={typed ?? assumed ?? ''}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => {
            change({ assume: event.currentTarget.value });
            setTyped(undefined);
          }}
        />
      </label>
      {present !== null && assumed !== present && (
        <button type="button" class="quiet" onClick={() => change({ assume: present })}>
          As it is now: {cost(present)}
        </button>
      )}
    </div>
  );
}

/** The gains that positions of 1, 7 and 30 days would have had, by the service's own backtest. */
export function HeldPositions(props: HeldProps): JSX.Element {
  const { short, long } = props;
  const asked = figure(usePlace().params, 'assume');
  const paths = pathsOf(props, asked !== undefined && asked >= 0 ? asked : undefined);
  const answer = whole(useAnswers<BacktestPairAnswer>(paths, EVERY_MS));
  return (
    <Part title="What a position would have earned">
      <Assumed short={short} long={long} />
      <Shown answer={answer} what={`what ${short.venue} short, ${long.venue} long would have earned`}>
        {(answers) => <Positions rows={answers.map(heldOf)} name={nameOf(props)} paths={paths} />}
      </Shown>
    </Part>
  );
}

const nameOf = ({ short, long }: HeldProps): string => `${short.venue}-${long.venue}`;

const keyOf = ({ days }: Held): string => String(days);

interface PositionsProps {
  readonly rows: readonly Held[];
  readonly name: string;
  readonly paths: readonly string[];
}

function Positions({ rows, name, paths }: PositionsProps): JSX.Element {
  const [first] = rows;
  return (
    <>
      <Listing
        name={`pair-${name}`}
        id="earned"
        caption="Earnings of the pair by time held"
        columns={HELD_COLUMNS}
        rows={rows}
        keyOf={keyOf}
        first="days"
        paths={paths}
      />
      <p class="fine">
        Both legs of {usd(first?.answer.size_usd)} taken at market so many whole days before the last midnight
        in UTC, and closed then. Not a profit forecast.
      </p>
      <details class="fine">
        <summary>How it is made</summary>
        <p>{first?.answer.methodology}</p>
      </details>
      <h3>What it is made of</h3>
      <Listing
        name={`pair-made-of-${name}`}
        id="made-of"
        caption="What the earnings are made of"
        columns={MADE_OF_COLUMNS}
        rows={rows}
        keyOf={keyOf}
        first="days"
      />
      <Days rows={rows} name={name} />
    </>
  );
}

function Days({ rows, name }: { rows: readonly Held[]; name: string }): JSX.Element {
  const word = choice(usePlace().params, 'days', DAY_WORDS);
  const shown = rows.find(({ days }) => String(days) === word)?.answer.days ?? [];
  return (
    <>
      <div class="bar">
        <h3>Day by day</h3>
        <Choices
          label="Position"
          isLabelled={false}
          words={DAY_WORDS}
          chosen={word}
          text={(days) => `${days} d`}
          choose={(days) => change({ days: days === DAY_WORDS[0] ? undefined : days })}
        />
      </div>
      <Listing
        name={`days-${name}`}
        id="days"
        caption="Earnings of the pair by day"
        columns={DAY_COLUMNS}
        rows={shown}
        keyOf={({ date }) => date}
        first="-date"
        empty="Nothing flowed: the pair was not held."
      />
    </>
  );
}
