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

const PLACE = '#/components/schemas/';

/** A part of a document with its schemas where it refers to them. */
export function inlined(document: unknown, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => inlined(document, each));
  if (!isWire(part)) return part;
  const { $ref, ...beside } = part;
  const name = typeof $ref === 'string' && $ref.startsWith(PLACE) ? $ref.slice(PLACE.length) : undefined;
  const referred = name === undefined ? {} : inlined(document, at(document, ['components', 'schemas', name]));
  const own = Object.entries(name === undefined ? part : beside);
  return Object.assign(
    {},
    referred,
    Object.fromEntries(own.map(([key, each]) => [key, inlined(document, each)])),
  );
}
