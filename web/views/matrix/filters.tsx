import type { JSX } from 'preact';
import { chooseKept } from '../../data/kept-choice.ts';
import { AssetChoices } from '../../parts/asset-names.tsx';
import { Choices, Select } from '../../parts/fields.tsx';
import { Several } from '../../parts/several.tsx';
import { change, usePlace } from '../../place.ts';
import { amountOf } from '../../text/amount.ts';
import { feesOf } from '../../text/fees.ts';
import { SIZES, sizeText } from '../../text/size.ts';
import { type GridQuery, PERIODS, SCALES } from './grid-model.ts';
import { PERIOD_TEXT, SCALE_TEXT, SUMMARY_COLUMNS } from './matrix-columns.ts';
import { SavedViews } from './saved-views.tsx';

interface FiltersProps {
  readonly query: GridQuery;
  readonly classes: readonly string[];
  readonly venues: readonly string[];
  readonly marked: ReadonlySet<string>;
}

/** A bound, as a reader writes it: `20m` is twenty million. */
function Least({ name, label, least = '' }: { name: string; label: string; least?: string }): JSX.Element {
  const value = usePlace().params.get(name) ?? least;
  return (
    <label>
      {label}
      <input
        type="text"
        size={8}
        autocomplete="off"
        value={value}
        aria-invalid={value !== '' && amountOf(value) === undefined}
        onInput={(event) => change({ [name]: event.currentTarget.value || (least === '' ? undefined : '0') })}
      />
    </label>
  );
}

/** The bound of open interest where the address says none: the widest spreads are those of markets that nobody holds. */
export const LEAST_INTEREST = '1m';

const COLUMN_TEXT: Readonly<Record<(typeof SUMMARY_COLUMNS)[number], string>> = {
  spread: 'Spread',
  net: 'Net of fees',
  cost: 'Cost of a size',
  days: 'Days to break even',
  held: 'Persistence',
  short: 'Short on',
  long: 'Long on',
  oi: 'Open interest',
  volume: 'Volume',
};

type QueryProps = Pick<FiltersProps, 'query'>;

/** The unit of the rates, and whether they are the present ones or means of what was paid. */
function Scaling({ query }: QueryProps): JSX.Element {
  return (
    <>
      <Choices
        label="Rate per"
        words={SCALES}
        chosen={query.scale}
        text={(scale) => SCALE_TEXT[scale]}
        choose={(scale) => change({ scale: scale === SCALES[0] ? undefined : scale })}
      />
      <Choices
        label="Period"
        words={PERIODS}
        chosen={query.period}
        text={(period) => PERIOD_TEXT[period]}
        choose={(period) => change({ period: period === PERIODS[0] ? undefined : period })}
      />
    </>
  );
}

function Bounds(): JSX.Element {
  return (
    <>
      <Least name="min_oi" label="Open interest ≥ USD" least={LEAST_INTEREST} />
      <Least name="min_volume" label="Volume ≥ USD" />
      <Least name="min_spread" label="Spread ≥ bps/8 h" />
      <Least name="max_spread" label="Spread ≤ bps/8 h" />
    </>
  );
}

/** The reader's own taker fees, which stand for the venues' in what is left of a spread. */
function MyFees(): JSX.Element {
  const value = usePlace().params.get('fees') ?? '';
  return (
    <label>
      My taker fees, bps
      <input
        type="text"
        size={16}
        autocomplete="off"
        placeholder="binance:2.4,bybit:3"
        value={value}
        aria-invalid={feesOf(value) === undefined}
        onInput={(event) => chooseKept({ fees: event.currentTarget.value })}
      />
    </label>
  );
}

/** The size of a leg whose costs are shown. */
function SizeOfLeg({ query }: QueryProps): JSX.Element {
  return (
    <label>
      Size of a leg
      <select
        value={query.sizeUsd ?? ''}
        onChange={(event) => chooseKept({ size: event.currentTarget.value })}
      >
        <option value="">no costs</option>
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {sizeText(size)}
          </option>
        ))}
      </select>
    </label>
  );
}

function ShownColumns({ query, venues }: Pick<FiltersProps, 'query' | 'venues'>): JSX.Element {
  return (
    <>
      <Several
        label="Venues"
        all={venues}
        chosen={query.venues}
        choose={(chosen) => chooseKept({ venues: chosen })}
      />
      <Several
        label="Columns"
        all={SUMMARY_COLUMNS}
        chosen={query.columns}
        text={(name) => COLUMN_TEXT[name as keyof typeof COLUMN_TEXT]}
        choose={(cols) => chooseKept({ cols })}
      />
    </>
  );
}

function FavouritesOnly({ query, marked }: Pick<FiltersProps, 'query' | 'marked'>): JSX.Element {
  const onlyMarked = query.only !== undefined;
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={onlyMarked}
        onChange={() => change({ only: onlyMarked ? undefined : [...marked].join(',') || 'none' })}
      />
      Favourites only
    </label>
  );
}

/** Filters of the matrix; every choice is in the address. */
export function Filters({ query, classes, venues, marked }: FiltersProps): JSX.Element {
  return (
    <div class="bar">
      <Scaling query={query} />
      <AssetChoices id="find-asset" typed={query.text} />
      <label>
        Find
        <input
          type="search"
          size={9}
          list="find-asset"
          value={query.text}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
      </label>
      <Select
        label="Class"
        name="class"
        words={['', ...classes]}
        chosen={query.assetClass}
        text={(name) => (name === '' ? 'all' : name)}
      />
      <Bounds />
      <Select
        label="Hold"
        name="hold"
        words={['1', '7', '30']}
        chosen={String(query.holdDays)}
        text={(days) => `${days} d`}
      />
      <MyFees />
      <SizeOfLeg query={query} />
      <ShownColumns query={query} venues={venues} />
      <FavouritesOnly query={query} marked={marked} />
      <SavedViews />
    </div>
  );
}
