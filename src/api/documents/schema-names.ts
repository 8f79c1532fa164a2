/** Words of a path, an id or a field as one name of a type: `funding-signal` as `FundingSignal`; the version of paths is left out. */
export const typeName = (words: string): string =>
  words
    .replace(/^\/v1\//, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The name of one entry of a list by the name of the list: `opportunities` holds an `opportunity`. */
export function singular(name: string): string {
  if (/series$/.test(name)) return name;
  return name
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}
