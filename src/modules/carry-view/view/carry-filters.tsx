import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chooseKept } from '../../../../web/data/kept-choice.ts';
import { useVenues } from '../../../../web/data/service.ts';
import { AssetChoices, meantAsset } from '../../../../web/parts/asset-names.tsx';
import { Choices, Select } from '../../../../web/parts/fields.tsx';
import { useNarrow } from '../../../../web/parts/narrow.ts';
import { Several } from '../../../../web/parts/several.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { change, choice, usePlace } from '../../../../web/place.ts';
import { amountOf } from '../../../../web/text/amount.ts';
import { feesOf } from '../../../../web/text/fees.ts';
import { SIZES, sizeText } from '../../../../web/text/size.ts';
import { DIRECTIONS, HOLD_DAYS, type KEPT, LEAST_INTEREST, listOf } from './carry-calls.ts';
import { DIRECTION_TEXT } from './pair-columns.tsx';

interface EnteredProps {
  readonly label: string;
  readonly value: string;
  readonly size: number;
  readonly placeholder?: string;
  readonly list?: string;
  readonly isValid: (text: string) => boolean;
  /** Typed text, for the choices below the field. */
  readonly onTyped?: (text: string) => void;
  readonly enter: (text: string) => void;
}

/** A field that counts when it is entered or left: each text makes a call, which may have a price. */
function Entered({ label, value, isValid, onTyped, enter, ...input }: EnteredProps): JSX.Element {
  const [typed, setTyped] = useState<string>();
  const text = typed ?? value;
  return (
    <label>
      {label}
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        {...input}
        value={text}
        aria-invalid={!isValid(text)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onTyped?.(currentTarget.value);
        }}
        onChange={({ currentTarget }) => {
          enter(currentTarget.value);
          setTyped(undefined);
        }}
      />
    </label>
  );
}

/** The assets that a text names, by what people call them. */
async function enterAssets(text: string): Promise<void> {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  const meant = await Promise.all(words.map(meantAsset));
  // A word that means none goes to the service as it is: its error names similar ones.
  change({
    assets: words.map((word, at) => meant[at]?.ticker ?? word.toUpperCase()).join(','),
    page: undefined,
  });
}

function Assets(): JSX.Element {
  const value = usePlace().params.get('assets') ?? '';
  const [typed, setTyped] = useState('');
  return (
    <>
      <AssetChoices id="carry-assets" typed={typed} />
      <Entered
        label="Assets"
        value={value}
        size={12}
        placeholder="all"
        list="carry-assets"
        isValid={() => true}
        onTyped={setTyped}
        enter={(text) => void enterAssets(text)}
      />
    </>
  );
}

function LeastInterest(): JSX.Element {
  return (
    <Entered
      label="Open interest ≥ USD"
      value={usePlace().params.get('min_oi') ?? LEAST_INTEREST}
      size={8}
      isValid={(text) => text === '' || amountOf(text) !== undefined}
      enter={(text) => change({ min_oi: text || '0', page: undefined })}
    />
  );
}

function Fees({ name, label }: { name: (typeof KEPT)[number]; label: string }): JSX.Element {
  return (
    <Entered
      label={label}
      value={usePlace().params.get(name) ?? ''}
      size={16}
      placeholder="binance:2.4,bybit:3"
      isValid={(text) => feesOf(text) !== undefined}
      enter={(text) => chooseKept({ [name]: text })}
    />
  );
}

/** The holding time, and the reader's own taker fees. */
function Terms(): JSX.Element {
  return (
    <>
      <Select
        label="Hold"
        name="hold"
        words={HOLD_DAYS}
        chosen={choice(usePlace().params, 'hold', HOLD_DAYS)}
        text={(days) => `${days} d`}
      />
      <Fees name="fees" label="My fees on perpetuals, bps" />
      <Fees name="spot_fees" label="My fees on spot, bps" />
    </>
  );
}

function Size({ none }: { none: string }): JSX.Element {
  return (
    <label>
      Size of a leg
      <select
        value={usePlace().params.get('size') ?? ''}
        onChange={({ currentTarget }) => chooseKept({ size: currentTarget.value })}
      >
        <option value="">{none}</option>
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {sizeText(size)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Venues that count, of both legs. */
function Venues(): JSX.Element {
  const { params } = usePlace();
  const venues = useVenues();
  const all = venues.state === 'ready' ? venues.body.map(({ name }) => name) : [];
  return (
    <>
      <Several
        label="Venues"
        all={all}
        chosen={listOf(params, 'venues')}
        choose={(chosen) => change({ venues: chosen, page: undefined })}
      />
      <Several
        label="Without"
        none="none"
        all={all}
        chosen={listOf(params, 'exclude')}
        choose={(chosen) => change({ exclude: chosen, page: undefined })}
      />
    </>
  );
}

interface CarryFiltersProps {
  /** True where pairs of all assets are asked for. */
  readonly isOfAll: boolean;
}

/** Filters of pairs: all of them are a part of the call, and in the address. */
export function CarryFilters({ isOfAll }: CarryFiltersProps): JSX.Element {
  const { params } = usePlace();
  const isNarrow = useNarrow();
  const direction = choice(params, 'direction', DIRECTIONS);
  return (
    <>
      <SkipPast what="the filters" isBefore />
      <details class="filters" open={!isNarrow}>
        <summary>Filters</summary>
        <div class="bar">
          <Choices
            label="Trade"
            words={DIRECTIONS}
            chosen={direction}
            text={(word) => DIRECTION_TEXT[word]}
            choose={(word) =>
              change({ direction: word === DIRECTIONS[0] ? undefined : word, page: undefined })
            }
          />
          {isOfAll && <Assets />}
          {isOfAll && <LeastInterest />}
          <Size none={isOfAll ? 'at the best prices' : 'what both books hold'} />
          <Terms />
          <Venues />
        </div>
      </details>
    </>
  );
}

/** The terms of one pair. */
export const PairTerms = (): JSX.Element => (
  <>
    <SkipPast what="the terms" isBefore />
    <div class="bar">
      <Terms />
    </div>
  </>
);
