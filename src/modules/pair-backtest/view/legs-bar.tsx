import type { ComponentChildren, JSX } from 'preact';
import { Select } from '../../../../web/parts/fields.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { change, type Patch } from '../../../../web/place.ts';
import { sizeText } from '../../../../web/text/size.ts';
import type { LegChoice } from '../../../../web/views/sections.ts';

/** A leg in words: `options:deribit` is deribit's, of options; none is any. */
function legText(leg: string): string {
  if (leg === '') return 'any';
  const [kind, venue] = leg.split(':', 2);
  return venue === undefined ? leg : `${venue} ${kind}`;
}

interface LegProps extends Pick<LegChoice, 'legs'> {
  readonly name: 'short' | 'long';
  readonly chosen: string;
  /** The other leg as it is shown. */
  readonly other: Patch;
}

/** The choice of a leg. The address may name neither: the one that is not chosen stays as it is shown. */
const Leg = ({ name, other, chosen, legs }: LegProps): JSX.Element => (
  <Select
    label={name === 'short' ? 'Short on' : 'Long on'}
    name={name}
    chosen={chosen}
    words={legs}
    text={legText}
    choose={(leg) => change({ ...other, [name]: leg })}
  />
);

interface LegsBarProps extends LegChoice {
  readonly children?: ComponentChildren;
}

/** The choice of both legs, which can be swapped, and of their size. */
export function LegsBar({ short, long, legs, size, sizes, children }: LegsBarProps): JSX.Element {
  return (
    <>
      <SkipPast what="the choice of legs" isBefore />
      <div class="bar">
        <Leg name="short" other={{ long }} chosen={short} legs={legs} />
        <button type="button" onClick={() => change({ short: long, long: short })}>
          Swap
        </button>
        <Leg name="long" other={{ short }} chosen={long} legs={legs} />
        <Select
          label="Size of a leg"
          name="size"
          chosen={size}
          words={sizes}
          text={(usd) => sizeText(Number(usd))}
        />
        {children}
      </div>
    </>
  );
}
