/** Names, values and texts as Python writes them. */

/** Words of the language (its module `keyword`), none of which is a name. */
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
   nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** True of a name that a dictionary's class can have as a field. */
export const isName = (name: string): boolean => /^[a-zA-Z_]\w*$/.test(name) && !KEYWORDS.has(name);

/** `perp-volume-24h` as the name of a method. */
export const pythonName = (id: string): string => id.replaceAll('-', '_');

/** The name of a parameter. */
export const argument = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

/** A value as Python writes it. */
export const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};

/** Text of a docstring, one line. */
export const said = (text: string | undefined): string =>
  (text ?? '').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();

/** Begin of a generated module. */
export const HEAD = `# Made from the route table of the service by scripts/build-routes.mjs, and not committed: change it there.
`;
