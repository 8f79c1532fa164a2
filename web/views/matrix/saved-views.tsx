import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo, usePlace } from '../../place.ts';

const KEY = 'perpmeter-matrix-views';

interface SavedView {
  readonly name: string;
  /** Parameters of the address. */
  readonly params: string;
}

function kept(): readonly SavedView[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value)
      ? value.map((view) => ({ name: String(view.name), params: String(view.params) }))
      : [];
  } catch {
    return [];
  }
}

/** Choices of the matrix that the reader has saved under a name; kept on this device. */
export function SavedViews(): JSX.Element {
  const { params } = usePlace();
  const [views, setViews] = useState(kept);
  const [name, setName] = useState('');
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(KEY, JSON.stringify(next));
    setViews(next);
  };
  const others = views.filter((view) => view.name !== name.trim());
  return (
    <>
      {views.map((view) => (
        <span key={view.name} class="inline">
          <a href={linkTo('matrix', new URLSearchParams(view.params))}>{view.name}</a>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => keep(views.filter((other) => other !== view))}
          >
            ×
          </button>
        </span>
      ))}
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          keep([...others, { name: name.trim(), params: params.toString() }]);
          setName('');
        }}
      >
        <label>
          Save this view as
          <input
            type="text"
            size={10}
            required
            pattern=".*\S.*"
            maxLength={40}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Save</button>
      </form>
    </>
  );
}
