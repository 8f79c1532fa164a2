import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useVenues } from '../data/service.ts';
import { change, go, type Patch, usePlace } from '../place.ts';
import { AssetChoices, meantAsset } from './asset-names.tsx';

/** A choice of a few words, all of them to be seen. */
export function Choices<Word extends string>(props: {
  label: string;
  words: readonly Word[];
  chosen: Word;
  text?: (word: Word) => string;
  choose: (word: Word) => void;
  /** True if the label is visible; it is always read aloud. */
  isLabelled?: boolean;
}): JSX.Element {
  const { label, words, chosen, text = String, choose, isLabelled = true } = props;
  return (
    <fieldset class="choices">
      <legend class={isLabelled ? '' : 'unseen'}>{label}</legend>
      {words.map((word) => (
        <button key={word} type="button" aria-pressed={word === chosen} onClick={() => choose(word)}>
          {text(word)}
        </button>
      ))}
    </fieldset>
  );
}

interface AssetFieldProps {
  readonly view: string;
  readonly ticker: string;
  /** State of the view that stays when another asset is shown. */
  readonly keep?: Patch;
}

/** Asks for an asset where a view needs one. */
export function AssetField({ view, ticker, keep }: AssetFieldProps): JSX.Element {
  const [typed, setTyped] = useState<string>();
  const list = useId();
  const show = async (): Promise<void> => {
    const said = (typed ?? ticker).trim();
    const meant = said === '' ? undefined : await meantAsset(said);
    // A text that means no asset goes to the service as it is: its error names similar ones.
    go(view, { ...keep, ticker: meant?.ticker ?? said.toUpperCase() });
    setTyped(undefined);
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        void show();
      }}
    >
      <AssetChoices id={list} typed={typed ?? ''} />
      <label>
        Asset{' '}
        <input
          type="search"
          size={10}
          list={list}
          autocapitalize="characters"
          spellcheck={false}
          value={typed ?? ticker}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

/** One of several words, which is kept in the address under `name`, unless `choose` does more; the first where the address has none. */
export function Select(props: {
  label: string;
  name: string;
  words: readonly string[];
  chosen: string;
  text?: (word: string) => string;
  choose?: (word: string) => void;
}): JSX.Element {
  const { label, name, words, chosen, text = String } = props;
  const { choose = (word) => change({ [name]: word }) } = props;
  const all = words.includes(chosen) ? words : [...words, chosen];
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {all.map((word) => (
          <option key={word} value={word}>
            {text(word)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice of one venue, or of all with the text of `all`; the address has it as `venue`. */
export function VenueField({ all }: { all: string }): JSX.Element {
  const venues = useVenues();
  const names = venues.state === 'ready' ? venues.body.map(({ name }) => name) : [];
  return (
    <Select
      label="Of"
      name="venue"
      words={['', ...names]}
      chosen={usePlace().params.get('venue') ?? ''}
      text={(name) => (name === '' ? all : name)}
    />
  );
}

/** Shows a canvas as a table, and the other way round. */
export function TableButton({ canvas }: { canvas: string }): JSX.Element {
  const asTable = usePlace().params.has('table');
  return (
    <button type="button" class="quiet" aria-pressed={asTable} onClick={() => change({ table: !asTable })}>
      {asTable ? `As ${canvas}` : 'As table'}
    </button>
  );
}
