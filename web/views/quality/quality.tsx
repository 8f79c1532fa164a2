import type { JSX } from 'preact';
import { useVenues } from '../../data/service.ts';
import { Choices } from '../../parts/states.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { Accuracy } from './accuracy.tsx';
import { Coverage, Gaps, Latency, Units } from './counted.tsx';
import { Grades, Incidents } from './grades.tsx';
import type { Section } from './report.tsx';

const NAMES = ['grades', 'incidents', 'coverage', 'latency', 'accuracy', 'units'] as const;
const SECTIONS: Readonly<Record<(typeof NAMES)[number], readonly Section[]>> = {
  grades: [Grades],
  incidents: [Incidents],
  coverage: [Coverage, Gaps],
  latency: [Latency],
  accuracy: [Accuracy],
  units: [Units],
};

/** How good the data is: grades, what was found wrong, and what is counted, of all venues or one. */
export function Quality(): JSX.Element {
  const { params } = usePlace();
  const section = choice(params, 'section', NAMES);
  const venue = params.get('venue') ?? '';
  const venues = useVenues();
  const names = venues.state === 'ready' ? venues.body.map(({ name }) => name) : [];
  return (
    <>
      <h1>Quality of the data</h1>
      <div class="bar">
        <label>
          Of
          <select value={venue} onChange={(event) => change({ venue: event.currentTarget.value })}>
            <option value="">all venues</option>
            {(venue === '' || names.includes(venue) ? names : [...names, venue]).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Choices
          label="Section"
          words={NAMES}
          chosen={section}
          choose={(word) => change({ section: word === NAMES[0] ? undefined : word })}
        />
      </div>
      <div class="stack">
        {SECTIONS[section].map((Part, at) => (
          <Part key={`${section} ${at}`} venue={venue} />
        ))}
      </div>
    </>
  );
}
