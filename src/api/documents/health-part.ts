import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { type Placed, withPlacedFields } from '../../runtime/placed.ts';
import type { Services } from '../route.ts';
import type { coreHealth } from './health-schema.ts';

type CoreHealth = Static<typeof coreHealth>;

/** Sections of the document that are always there. */
type Section = 'venues' | 'store' | 'payments';

/**
 * Fields that a module adds to the health document: they follow the named one. They are in its schema wherever the module is on,
 * also in a process in which the module has nothing to do.
 */
export interface HealthPart<Fields extends TProperties = TProperties> extends Placed {
  /** The section that has the fields; the document itself without it. */
  readonly within?: Section;
  readonly fields: Fields;
  readonly read: (services: Services) => Static<TObject<Fields>>;
  /** False where the service is degraded by what the part is about; without it never. */
  readonly isWell?: (services: Services) => boolean;
}

const inSection = <P extends { readonly within?: Section | undefined }>(
  parts: readonly P[],
  section: Section | undefined,
): readonly P[] => parts.filter(({ within }) => within === section);

const SECTIONS: readonly Section[] = ['venues', 'store', 'payments'];

/**
 * The schema of the document with these parts.
 *
 * @throws Error where a field is there twice, or follows one that is not there: a fault of the program
 */
export function schemaWith(core: TObject, parts: readonly HealthPart[]): TObject {
  const properties = withPlacedFields(core.properties, inSection(parts, undefined));
  for (const section of SECTIONS) {
    const own = inSection(parts, section);
    const { properties: fields, description } = properties[section] as TObject & { description: string };
    if (own.length > 0) properties[section] = Type.Object(withPlacedFields(fields, own), { description });
  }
  return Type.Object(properties);
}

/** The document as it is now; degraded where one part says so. */
export function stateWith(core: CoreHealth, parts: readonly HealthPart[], services: Services): object {
  const read = parts.map(({ after, within, read }) => ({ after, within, fields: read(services) }));
  const state: Record<string, unknown> = withPlacedFields<unknown>(core, inSection(read, undefined));
  for (const section of SECTIONS) {
    const own = inSection(read, section);
    if (own.length > 0) state[section] = withPlacedFields<unknown>(core[section], own);
  }
  const isWell = parts.every((part) => part.isWell?.(services) ?? true);
  return isWell ? state : { ...state, status: 'degraded' };
}

/** The example of a service with every module, as far as this one has the fields. */
export function exampleOf(example: Readonly<Record<string, unknown>>, schema: TObject): object {
  const known = (value: unknown, { properties = {} }: Partial<TObject>): unknown =>
    Object.fromEntries(Object.entries(value as object).filter(([name]) => name in properties));
  const answer = known(example, schema) as Record<string, unknown>;
  for (const section of SECTIONS) answer[section] = known(answer[section], schema.properties[section] ?? {});
  return answer;
}
