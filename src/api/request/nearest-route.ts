import { lowerAscii } from '../../domain/ascii-case.ts';
import { distance } from '../../domain/nearest.ts';
import type { Declared } from './declared.ts';
import notSoldWords from './not-sold.json' with { type: 'json' };

/** A route as far as a path that is not there may mean it. */
interface NamedRoute {
  readonly id: string;
  readonly path: string;
  readonly pathParameters: ReadonlyMap<string, Declared>;
}

/** Values that a path may have; both look a name up, and search nothing. */
export interface KnownNames {
  readonly isVenue: (name: string) => boolean;
  readonly isTicker: (name: string) => boolean;
}

/** Longer paths are no misspelling of any, and take long to compare. */
const MAX_LENGTH = 120;
const MAX_SEGMENTS = 8;
const SUGGESTED = 2;
/** Costs of a segment that is too many or missing, of a known value in its place, of two in each other's, and of an unknown one. */
const EXTRA = 0.5;
const VALUE = 0.05;
const SWAPPED = 0.3;
const UNKNOWN_VALUE = 0.8;
const MOST_PER_SEGMENT = 0.4;

/** A reading of some typed segments as some of a template, and what it costs. */
interface Reading {
  readonly cost: number;
  /** The template's segments, those of values as they were typed. */
  readonly filled: readonly string[];
}

/** A reading of the first segments, and how many of each are left to read. */
interface Step extends Reading {
  readonly typed: number;
  readonly template: number;
}

/** 0 for the same word, 1 for another one. */
function unlike(typed: string, word: string): number {
  const a = lowerAscii(typed)
    .replace(/_/g, '-')
    .replace(/\.json$/, '');
  if (a === word) return 0;
  const longest = Math.max(a.length, word.length);
  if (Math.abs(a.length - word.length) > longest / 2) return 1;
  const share = distance(a, word) / longest;
  return share <= 0.5 ? share : 1;
}

const isKnown = (segment: string, word: string, names: KnownNames): boolean =>
  segment === '{venue}' ? names.isVenue(word) : !names.isVenue(word) && names.isTicker(word);

/** Ways to read the next typed segments as the next ones of a template. */
function stepsOf(typed: readonly string[], template: readonly string[], names: KnownNames): readonly Step[] {
  const [word, next] = typed;
  const [segment = '', after] = template;
  if (word === undefined) return [];
  if (!segment.startsWith('{')) {
    return [{ cost: unlike(word, segment), filled: [segment], typed: 1, template: 1 }];
  }
  const cost = isKnown(segment, word, names) ? VALUE : UNKNOWN_VALUE;
  const steps: Step[] = [{ cost, filled: [word], typed: 1, template: 1 }];
  const isPair = segment === '{venue}' && after === '{symbol}' && next !== undefined;
  if (isPair && isKnown(after, word, names) && names.isVenue(next)) {
    steps.push({ cost: SWAPPED, filled: [next, word], typed: 2, template: 2 });
  }
  // A symbol whose slash was not encoded came as two segments.
  if (segment === '{symbol}' && next?.includes(':') === true) {
    const symbol = names.isTicker(`${word}/${next}`) ? `${word}%2F${next}` : word;
    steps.push({ cost, filled: [symbol], typed: 2, template: 1 });
  }
  return steps;
}

/** The cheapest way to read what was typed as a template; a value that is not there is its example. */
function align(
  typed: readonly string[],
  template: readonly string[],
  { pathParameters }: NamedRoute,
  names: KnownNames,
): Reading {
  const known = new Map<string, Reading>();
  const read = (i: number, j: number): Reading => {
    const key = `${i} ${j}`;
    const made = known.get(key) ?? cheapest(i, j);
    known.set(key, made);
    return made;
  };
  const cheapest = (i: number, j: number): Reading => {
    const segment = template[j];
    if (segment === undefined) return { cost: (typed.length - i) * EXTRA, filled: [] };
    const example = pathParameters.get(segment.slice(1, -1))?.example ?? segment;
    const steps: readonly Step[] = [
      { cost: EXTRA, filled: [String(example)], typed: 0, template: 1 },
      ...(i < typed.length ? [{ cost: EXTRA, filled: [], typed: 1, template: 0 }] : []),
      ...stepsOf(typed.slice(i), template.slice(j), names),
    ];
    const ways = steps.map((step): Reading => {
      const rest = read(i + step.typed, j + step.template);
      return { cost: step.cost + rest.cost, filled: [...step.filled, ...rest.filled] };
    });
    return ways.reduce((best, way) => (way.cost < best.cost ? way : best));
  };
  return read(0, 0);
}

/** The segments after the version; words that services commonly have before it are dropped. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment, i) => segment !== '' && !(i < 3 && /^(?:api|v\d+)$/i.test(segment)));
}

/** The share of its segments by which a path is unlike a route, and the route's path with values filled in. */
function compare(typed: readonly string[], route: NamedRoute, names: KnownNames) {
  const template = segmentsOf(route.path);
  const { cost, filled } = align(typed, template, route, names);
  // Words may be joined otherwise: funding_current is funding/current.
  const joined = route.pathParameters.size === 0 ? unlike(typed.join('-'), template.join('-')) : 1;
  const share = Math.min(cost / Math.max(template.length, typed.length), joined);
  return { share, path: (route.path.startsWith('/v1/') ? '/v1/' : '/') + filled.join('/') };
}

export interface NearestRoutes {
  /** The word of the path that names something that is not sold. */
  readonly notSold: string | undefined;
  /** Without a query. */
  readonly paths: readonly string[];
}

/** True if its values are names that can fill a path. */
const isNamed = ({ pathParameters }: NamedRoute): boolean =>
  [...pathParameters.keys()].every((name) => name === 'venue' || name === 'symbol');

/**
 * Paths of routes that are most like one that is not there, values filled in, the closest first. None where it is
 * like none. A word that is known not to be sold leads to what comes closest.
 */
export function nearestRoutes(
  typed: string,
  routes: readonly NamedRoute[],
  names: KnownNames,
): NearestRoutes {
  const segments = segmentsOf(typed);
  if (typed.length > MAX_LENGTH || segments.length === 0 || segments.length > MAX_SEGMENTS) {
    return { notSold: undefined, paths: [] };
  }
  const words: ReadonlyMap<string, string> = new Map(Object.entries(notSoldWords));
  const notSold = segments.map(lowerAscii).find((segment) => words.has(segment));
  const closest = routes.find(({ id }) => notSold !== undefined && id === words.get(notSold));
  if (closest !== undefined) {
    const template = segmentsOf(closest.path);
    return { notSold, paths: [`/v1/${align([], template, closest, names).filled.join('/')}`] };
  }
  const ranked = routes
    .filter(isNamed)
    .map((route) => compare(segments, route, names))
    .filter(({ share }) => share <= MOST_PER_SEGMENT)
    .sort((a, b) => a.share - b.share);
  return { notSold: undefined, paths: ranked.slice(0, SUGGESTED).map(({ path }) => path) };
}
