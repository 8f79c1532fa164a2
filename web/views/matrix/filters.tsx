import type { JSX } from 'preact';
import { Choices } from '../../parts/states.tsx';
import { change } from '../../place.ts';
import { type GridQuery, SCALES } from './grid-model.ts';
import { SCALE_TEXT } from './matrix-columns.ts';

interface FiltersProps {
  readonly query: GridQuery;
  readonly classes: readonly string[];
  readonly venues: readonly string[];
  readonly onlyMarked: boolean;
  readonly marked: ReadonlySet<string>;
}

function Least({
  name,
  label,
  value,
  step,
}: {
  name: string;
  label: string;
  value: number | undefined;
  step: number;
}): JSX.Element {
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="decimal"
        step={step}
        value={value ?? ''}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </label>
  );
}

function VenueChoice({ all, chosen }: { all: readonly string[]; chosen: readonly string[] }): JSX.Element {
  const toggle = (venue: string): void => {
    const next = chosen.includes(venue) ? chosen.filter((one) => one !== venue) : [...chosen, venue];
    change({ venues: all.filter((one) => next.includes(one)).join(',') });
  };
  return (
    <details class="venue-choice">
      <summary>Venues: {chosen.length === 0 ? 'all' : chosen.length}</summary>
      <div>
        <button type="button" class="quiet" onClick={() => change({ venues: undefined })}>
          All
        </button>
        {all.map((venue) => (
          <label key={venue} class="inline">
            <input type="checkbox" checked={chosen.includes(venue)} onChange={() => toggle(venue)} />
            {venue}
          </label>
        ))}
      </div>
    </details>
  );
}

/** What of the matrix is shown; every choice is in the address. */
export function Filters({ query, classes, venues, onlyMarked, marked }: FiltersProps): JSX.Element {
  return (
    <div class="bar">
      <Choices
        label="Rate per"
        words={SCALES}
        chosen={query.scale}
        text={(scale) => SCALE_TEXT[scale]}
        choose={(scale) => change({ scale: scale === SCALES[0] ? undefined : scale })}
      />
      <label>
        Find
        <input
          type="search"
          size={9}
          value={query.text}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
      </label>
      <label>
        Class
        <select value={query.assetClass} onChange={(event) => change({ class: event.currentTarget.value })}>
          <option value="">all</option>
          {classes.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Least name="min_oi" label="Open interest ≥ USD" value={query.minOpenInterest} step={1_000_000} />
      <Least name="min_volume" label="Volume ≥ USD" value={query.minVolume} step={1_000_000} />
      <Least name="min_spread" label="Spread ≥ bps/8 h" value={query.minSpread} step={1} />
      <Least name="max_spread" label="Spread ≤ bps/8 h" value={query.maxSpread} step={1} />
      <label>
        Hold
        <select
          value={String(query.holdDays)}
          onChange={(event) => change({ hold: event.currentTarget.value })}
        >
          {[1, 7, 30].map((days) => (
            <option key={days} value={String(days)}>
              {days} d
            </option>
          ))}
        </select>
      </label>
      <VenueChoice all={venues} chosen={query.venues} />
      <label class="inline">
        <input
          type="checkbox"
          checked={onlyMarked}
          onChange={() => change({ only: onlyMarked ? undefined : [...marked].join(',') || 'none' })}
        />
        Favourites only
      </label>
    </div>
  );
}
