import type { ParameterSpec, ProtectedRoute } from './types.ts';

const TAG = /^[\x20-\x7e]{1,32}$/;

/**
 * Faults of a route's description by the rules of catalogs: they drop or refuse a resource with a description
 * over 500 characters, more than five tags, or a required parameter without a value to try.
 */
export function routeFaults(route: ProtectedRoute): readonly string[] {
  const faults: string[] = [];
  const report = (text: string): void => {
    faults.push(`route ${route.id}: ${text}`);
  };
  if (route.description.length === 0 || route.description.length > 500)
    report('description must have 1 to 500 characters');
  if (route.tags.length > 5 || !route.tags.every((tag) => TAG.test(tag))) {
    report('at most five tags of 1 to 32 printable ASCII characters');
  }
  const inPath = [...route.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const described = Object.keys(route.pathParams ?? {});
  if ([...inPath].sort().join() !== [...described].sort().join()) {
    report('pathParams must describe exactly the parameters of the path');
  }
  if (typeof route.example !== 'object' || route.example === null)
    report('example must be an object or an array');
  if (route.revisedAt !== undefined && !Number.isFinite(Date.parse(route.revisedAt))) {
    report('revisedAt must be an ISO 8601 time');
  }
  const parameters = Object.entries({ ...route.queryParams, ...route.pathParams });
  for (const [name, spec] of parameters) {
    if (!hasTrialValue(spec)) report(`required parameter ${name} needs an example or an enum`);
  }
  return faults;
}

function hasTrialValue(spec: ParameterSpec): boolean {
  return !spec.required || spec.example !== undefined || (spec.enum?.length ?? 0) > 0;
}
