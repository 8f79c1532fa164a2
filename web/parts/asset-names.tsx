import type { JSX } from 'preact';
import type { AssetsAnswer } from '../../packages/client/src/routes.ts';
import { ask, useAnswer } from '../data/answers.ts';

type Asset = AssetsAnswer['assets'][number];

const NONE: readonly Asset[] = [];
/** Assets that are offered while a name is typed. */
const OFFERED = 8;

const meaning = (typed: string): string => `/v1/assets?q=${encodeURIComponent(typed.trim())}`;

/** The assets that a text means, the likeliest first; none while nothing is typed or they are not known. */
export function useMeant(typed: string): readonly Asset[] {
  const answer = useAnswer<AssetsAnswer>(typed.trim() === '' ? undefined : meaning(typed));
  return answer.state === 'ready' ? answer.body.assets : NONE;
}

/** The asset that a text means; undefined where none does, or it cannot be asked. */
export async function meantAsset(typed: string): Promise<Asset | undefined> {
  const answer = await ask<AssetsAnswer>(meaning(typed));
  return answer.state === 'ready' ? answer.body.assets[0] : undefined;
}

/** The choices of an input whose `list` is this id. */
export function AssetChoices({ id, typed }: { id: string; typed: string }): JSX.Element {
  return (
    <datalist id={id}>
      {useMeant(typed)
        .slice(0, OFFERED)
        .map(({ canonical_id, ticker, names, aliases, asset_class, venues }) => (
          <option key={canonical_id} value={ticker}>
            {[...names, ...aliases, asset_class, `${venues.length} venues`].join(', ')}
          </option>
        ))}
    </datalist>
  );
}
