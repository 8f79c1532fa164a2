import type { ComponentChildren, JSX } from 'preact';

/** A figure under its title; `look` colours it, `about` says more on hover. */
export type Figure = readonly [
  title: string,
  value: ComponentChildren,
  more?: { readonly look?: string; readonly about?: string },
];

/** A number with its unit, or what it is a part of. */
export const withUnit = (value: string, unit: string): JSX.Element => (
  <>
    {value} <small>{unit}</small>
  </>
);

/** A few figures that are read at one look. */
export function Figures({
  figures,
  label,
  kind = '',
}: {
  figures: readonly Figure[];
  label?: string;
  kind?: string;
}): JSX.Element {
  return (
    <dl class={`figures ${kind}`} aria-label={label}>
      {figures.map(([title, value, more]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd class={more?.look} title={more?.about}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
