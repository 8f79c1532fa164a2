import type { Random } from './random.ts';

type Change = (path: string, random: Random) => string;

/** Puts `put` in place of one character that matches, chosen at random. */
function replaceOne(
  path: string,
  which: RegExp,
  put: string | ((match: string) => string),
  random: Random,
): string {
  const found = [...path.matchAll(which)];
  if (found.length === 0) return path;
  const { index, 0: one } = random.pick(found);
  const text = typeof put === 'string' ? put : put(one);
  return path.slice(0, index) + text + path.slice(index + one.length);
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

const HOSTS = [
  'http://localhost',
  'https://data.perpmeter.test',
  'HTTP://127.0.0.1:1',
  'http://a@b',
  'http://',
];
const TAILS = [
  '/',
  '//',
  '/.',
  '/..',
  '.',
  '.json',
  ';',
  ';a=b',
  '%20',
  '%00',
  '%0d%0a',
  '#x',
  '\\',
  '~',
  '/index',
];
const QUERIES = ['?', '??', '?limit=1', '?&&', '?limit=1&limit=2', '?x=%2f', '?%00', '?/../x', '?symbol=BTC'];

/** Ways in which servers, proxies and file systems have been made to see another path than the one they checked. */
const CHANGES: readonly Change[] = [
  (path, random) =>
    replaceOne(path, /\//g, random.pick(['%2f', '%2F', '%252f', '%c0%af', '\\', '%5c']), random),
  (path, random) =>
    replaceOne(path, /\//g, random.pick(['//', '/./', '/../', '/x/../', '/%2e/', '/%2e%2e/', '/;/']), random),
  (path, random) => replaceOne(path, /[a-z0-9_.-]/gi, percent, random),
  (path, random) =>
    replaceOne(path, /[a-z0-9]/gi, (character) => `%25${percent(character).slice(1)}`, random),
  (path, random) => replaceOne(path, /[a-z]/g, (character) => character.toUpperCase(), random),
  (path) => path.toUpperCase(),
  (path, random) => replaceOne(path, /\/[^/]+/g, (segment) => `${segment};v=1`, random),
  (path, random) => replaceOne(path, /\/[^/]+/g, '', random),
  (path, random) => path + random.pick(TAILS),
  (path, random) => `${random.pick(['/', '\\', '/.', '/..', '/x/..', '/v1/..', '.'])}${path}`,
  (path) => path.slice(1),
  (path, random) => `${random.pick(HOSTS)}${path}`,
  (path, random) =>
    replaceOne(
      path,
      /[a-z]/g,
      random.pick(['\u00e9', '\u00ff', '\u0130'.slice(1), '*', '|', ' ', '']),
      random,
    ),
  (path) => path.repeat(2),
];

/** A request target from a path that exists: at times untouched, mostly bent in one to three ways. */
export function mutatedTarget(path: string, random: Random): string {
  let target = path;
  for (let i = random.between(0, 3); i > 0; i--) target = random.pick(CHANGES)(target, random);
  return random.chance(0.25) ? target + random.pick(QUERIES) : target;
}
