import { useLayoutEffect, useState } from 'preact/hooks';
import { amountOf } from './text/amount.ts';

/** A view and all of its state, both in the fragment of the address, `#/matrix?scale=8h`. */
export interface Place {
  readonly view: string;
  readonly params: URLSearchParams;
}

/** Changes of a view's state; undefined or an empty text takes a parameter out. */
export type Patch = Readonly<Record<string, string | number | boolean | undefined>>;

export const HOME = 'home';

/** Names of the views of this page. */
const views = new Set<string>();

/** Notes the views that links may lead to. */
export function noteViews(names: Iterable<string>): void {
  for (const name of names) views.add(name);
}

/** True where this page has a view: a module brings it, which may be left out. */
export const hasView = (name: string): boolean => views.has(name);

export function placeOf(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  return { view: path === '' ? HOME : path, params: new URLSearchParams(query) };
}

export function linkTo(view: string, params: Patch | URLSearchParams = {}): string {
  const search = params instanceof URLSearchParams ? params : patched(new URLSearchParams(), params);
  const query = search.toString();
  return `#/${view === HOME ? '' : view}${query === '' ? '' : `?${query}`}`;
}

function patched(params: URLSearchParams, patch: Patch): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined || value === '' || value === false) next.delete(name);
    else next.set(name, value === true ? '1' : String(value));
  }
  return next;
}

/** Changes the state of the view that is shown; no entry of its own in the history. */
export function change(patch: Patch): void {
  const { view, params } = placeOf(location.hash);
  history.replaceState(null, '', linkTo(view, patched(params, patch)));
  dispatchEvent(new Event('hashchange'));
}

export function go(view: string, params: Patch = {}): void {
  location.hash = linkTo(view, params).slice(1);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  // A plain effect runs after the next frame: what is chosen before it would change the address alone.
  useLayoutEffect(() => {
    const read = (): void => setPlace(placeOf(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return place;
}

/** One of the words that a parameter may be; the first where it is none of them. */
export function choice<Word extends string>(
  params: URLSearchParams,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const said = params.get(name);
  return words.find((word) => word === said) ?? words[0];
}

/** A finite number of a parameter, also as people write amounts: `20m`. */
export function figure(params: URLSearchParams, name: string): number | undefined {
  const said = params.get(name);
  if (said === null || said.trim() === '') return undefined;
  const value = Number(said);
  return Number.isFinite(value) ? value : amountOf(said);
}
