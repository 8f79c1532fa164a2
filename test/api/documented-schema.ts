import { Check } from 'typebox/schema';
import { isWire, type Wire } from '../../src/domain/read.ts';

/** The value in an object by the names on the way to it. */
export const at = (document: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((here, step) => (isWire(here) ? here[step] : undefined), document);

/** Titles of the alternatives of a document that a value fits; what they refer to stands in the document. */
export const fittingOf = (document: unknown, alternatives: readonly Wire[], value: unknown) => {
  const components = at(document, ['components']);
  return alternatives.filter((schema) => Check({ ...schema, components }, value)).map(({ title }) => title);
};
