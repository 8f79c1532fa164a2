import type { JSX } from 'preact';
import { Choices, VenueField } from '../../parts/fields.tsx';
import { SkipPast } from '../../parts/skip-past.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { SECTIONS } from '../../sections/quality.ts';

const [[FIRST], ...OTHERS] = SECTIONS;
const NAMES = [FIRST, ...OTHERS.map(([name]) => name)] as const;

/** The quality of the data, of all venues or one: the sections of modules and the units. */
export function Quality(): JSX.Element {
  const { params } = usePlace();
  const section = choice(params, 'section', NAMES);
  const venue = params.get('venue') ?? '';
  return (
    <>
      <h1>Quality of the data</h1>
      <SkipPast what="the choice" isBefore />
      <div class="bar">
        <VenueField all="all venues" />
        <Choices
          label="Section"
          words={NAMES}
          chosen={section}
          choose={(word) => change({ section: word === FIRST ? undefined : word })}
        />
      </div>
      <div class="stack">
        {SECTIONS.filter(([name]) => name === section).map(([name, Part]) => (
          <Part key={name} venue={venue} />
        ))}
      </div>
    </>
  );
}
