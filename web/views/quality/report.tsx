import type { ComponentType, JSX } from 'preact';
import { useAnswer } from '../../data/answers.ts';
import { Listing } from '../../parts/listing.tsx';
import { Part } from '../../parts/part.tsx';
import { Shown } from '../../parts/states.tsx';
import type { Column } from '../../parts/table.tsx';

interface Report<Body, Row> {
  /** Names the file of the table, and its order in the address. */
  readonly id: string;
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: (body: Body) => readonly Row[];
  /** The meaning of its figures. */
  readonly said?: (body: Body) => string;
  readonly empty?: string;
}

type PartOf<Body> = (body: Body, path: string) => JSX.Element;

/** A table of what a route says, with its words, its file and its call. */
export const report =
  <Body, Row>({ title, rows, said, ...table }: Report<Body, Row>): PartOf<Body> =>
  (body, path) => {
    const { id, columns } = table;
    const shown = rows(body);
    return (
      <Part key={id} title={title}>
        {said !== undefined && <p class="fine">{said(body)}</p>}
        <Listing
          {...table}
          name={`quality-${id}`}
          caption={title}
          rows={shown}
          keyOf={(row) => columns.map(({ value }) => value(row)).join('\n')}
          paths={[path]}
        />
      </Part>
    );
  };

const EVERY_MS = 10_000;

export type Section = ComponentType<{ venue: string }>;

/** All parts that one route is shown in, of all venues or one. */
export const reading = <Body,>(route: string, ...parts: readonly PartOf<Body>[]): Section =>
  function Reading({ venue }) {
    const path = `/v1/data-quality/${route}${venue === '' ? '' : `?${new URLSearchParams({ venue })}`}`;
    return (
      <Shown answer={useAnswer<Body>(path, EVERY_MS)} what={`the ${route}`}>
        {(body) => parts.map((part) => part(body, path))}
      </Shown>
    );
  };
