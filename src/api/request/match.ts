/** Path templates matched against raw request paths, exactly: no case folding, no decoding of literals. */

export interface PathMatch<T> {
  readonly route: T;
  /** Values of the template's `{names}`, decoded. */
  readonly path: readonly (readonly [name: string, value: string])[];
}

interface Template<T> {
  readonly route: T;
  readonly segments: readonly string[];
}

const PLACEHOLDER = /^\{([a-z_]+)\}$/;
/** A proxy or a file system could read these as more than a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\\\u0000-\u001f\u007f?#]/;
/** Some venues, and ccxt, write a symbol with a slash. No other value has one. */
const partsOf = (name: string): number => (name === 'symbol' ? 2 : 1);

function decodeSegment(segment: string, name: string): string | undefined {
  try {
    const value = segment.includes('%') ? decodeURIComponent(segment) : segment;
    const parts = value.split('/');
    if (parts.length > partsOf(name) || UNSAFE.test(value)) return undefined;
    return parts.some((part) => part === '' || part === '.' || part === '..') ? undefined : value;
  } catch {
    return undefined;
  }
}

function matchTemplate<T>(template: Template<T>, segments: readonly string[]): PathMatch<T> | undefined {
  if (template.segments.length !== segments.length) return undefined;
  const path: (readonly [string, string])[] = [];
  for (const [i, expected] of template.segments.entries()) {
    const actual = segments[i] ?? '';
    const name = PLACEHOLDER.exec(expected)?.[1];
    if (name === undefined) {
      if (actual !== expected) return undefined;
      continue;
    }
    const value = decodeSegment(actual, name);
    if (value === undefined) return undefined;
    path.push([name, value]);
  }
  return { route: template.route, path };
}

/** Sorts `depth` before `{venue}`: at the first difference the literal segment comes first. */
const specificity = (path: string): string =>
  path
    .split('/')
    .map((segment) => (PLACEHOLDER.test(segment) ? '1' : '0'))
    .join('');

/** Finds the one route of a path, or undefined. Two routes of one path are refused. */
export function pathMatcher<T extends { readonly path: string }>(
  routes: readonly T[],
): (path: string) => PathMatch<T> | undefined {
  const literal = new Map<string, PathMatch<T>>();
  const templates: Template<T>[] = [];
  for (const route of [...routes].sort((a, b) => (specificity(a.path) < specificity(b.path) ? -1 : 1))) {
    if (literal.has(route.path)) throw new TypeError(`two routes at ${route.path}`);
    if (route.path.includes('{')) templates.push({ route, segments: route.path.split('/') });
    else literal.set(route.path, { route, path: [] });
  }
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return exact;
    const segments = path.split('/');
    for (const template of templates) {
      const match = matchTemplate(template, segments);
      if (match !== undefined) return match;
    }
    return undefined;
  };
}
