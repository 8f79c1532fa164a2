/** Words of a path, an id or a field as one name of a type: `funding-signal` as `FundingSignal`; the version of paths is left out. */
export const typeName = (words: string): string =>
  words
    .replace(/^\/v1\//, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Last part of the name of an answer's type: generators call a parameter's type by the operation and its own name. */
export const ANSWER = 'Answer';

/** The type of a route's answer, in OpenAPI as in the clients. */
export const answerName = (id: string): string => typeName(id) + ANSWER;

/** The name of one entry of a list by the name of the list: `opportunities` holds an `opportunity`. */
export function singular(name: string): string {
  if (/series$/.test(name)) return name;
  return name
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}
