import type { ComponentChildren, JSX } from 'preact';
import { SkipPast } from './skip-past.tsx';

interface PartProps {
  readonly title: string;
  /** Stands beside the title. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** A part of a view under its title, which the keyboard may pass over. */
export function Part({ title, note, children }: PartProps): JSX.Element {
  return (
    <section>
      <SkipPast what={title} />
      <h2>
        {title}
        {note !== undefined && <small> {note}</small>}
      </h2>
      {children}
    </section>
  );
}
