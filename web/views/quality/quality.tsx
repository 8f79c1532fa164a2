import type { JSX } from 'preact';
import { Choices, VenueField } from '../../parts/fields.tsx';
import { change, choice, usePlace } from '../../place.ts';
import { Accuracy } from './accuracy.tsx';
import { Coverage } from './coverage.tsx';
import { Gaps } from './gaps.tsx';
import { Grades } from './grades.tsx';
import { Incidents } from './incidents.tsx';
import { Latency } from './latency.tsx';
import type { Section } from './report.tsx';
import { Units } from './units.tsx';

const NAMES = ['grades', 'incidents', 'coverage', 'latency', 'accuracy', 'units'] as const;
const SECTIONS: Readonly<Record<(typeof NAMES)[number], readonly Section[]>> = {
  grades: [Grades],
  incidents: [Incidents],
  coverage: [Coverage, Gaps],
  latency: [Latency],
  accuracy: [Accuracy],
  units: [Units],
};

/** The quality of the data: grades, found faults, and counts, of all venues or one. */
export function Quality(): JSX.Element {
  const { params } = usePlace();
  const section = choice(params, 'section', NAMES);
  const venue = params.get('venue') ?? '';
  return (
    <>
      <h1>Quality of the data</h1>
      <div class="bar">
        <VenueField all="all venues" />
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
