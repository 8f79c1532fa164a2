import type { ComponentChildren, JSX } from 'preact';
import { Select } from '../../../../web/parts/fields.tsx';
import { SkipPast } from '../../../../web/parts/skip-past.tsx';
import { change } from '../../../../web/place.ts';
import { sizeText } from '../../../../web/text/size.ts';
import type { LegChoice } from '../../../../web/views/sections.ts';

/** A leg in words: `options:deribit` is deribit's, of options; none is any. */
function legText(leg: string): string {
  if (leg === '') return 'any';
  const [kind, venue] = leg.split(':', 2);
  return venue === undefined ? leg : `${venue} ${kind}`;
}

interface LegsBarProps extends LegChoice {
  readonly children?: ComponentChildren;
}

/** The choice of both legs, which can be swapped, and of their size. */
export function LegsBar({ short, long, legs, size, sizes, children }: LegsBarProps): JSX.Element {
  return (
    <>
      <SkipPast what="the choice of legs" isBefore />
      <div class="bar">
        <Select label="Short on" name="short" chosen={short} words={legs} text={legText} />
        <button type="button" onClick={() => change({ short: long, long: short })}>
          Swap
        </button>
        <Select label="Long on" name="long" chosen={long} words={legs} text={legText} />
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
