import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_VENUES, VENUES } from '../../src/venues/registry.ts';
import { ADAPTERS, placesOf, ROOT, renamed, SIMULATED, simName, TEMPLATE } from './places.ts';

export interface NewVenue {
  readonly id: string;
  readonly displayName: string;
  readonly kind: 'cex' | 'dex';
}

/** Source ids of centralized venues are below it, those of the others above. */
const FIRST_DEX_ID = 100;

/** The reason for which a venue of that name cannot be made; undefined = it can. */
export function obstacleTo({ id }: Pick<NewVenue, 'id'>): string | undefined {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(id))
    return `${id} is no identifier: small letters and digits, 2 to 20, a letter first`;
  if (KNOWN_VENUES.some((venue) => venue.id === id)) return `${id} is a venue already`;
  const { folder, simulated } = placesOf(id);
  const there = [folder, simulated].filter((path) => existsSync(join(ROOT, path)));
  return there.length === 0 ? undefined : `${there.join(' and ')} are there already`;
}

/** The next number that no venue of its kind has had: numbers are given in order and never given back. */
export function nextSourceId(kind: NewVenue['kind']): number {
  const given = readdirSync(join(ROOT, 'src/venues'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'src/venues', entry.name, 'index.ts')))
    .map((entry) => readFileSync(join(ROOT, 'src/venues', entry.name, 'index.ts'), 'utf8'))
    .flatMap((text) => [...text.matchAll(/sourceId: (\d+)/g)].map(([, number]) => Number(number)));
  return Math.max(...given.filter((number) => number < FIRST_DEX_ID === (kind === 'cex'))) + 1;
}

function edit(path: string, change: (text: string) => string): void {
  const file = join(ROOT, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${path} has no place for the venue`);
  writeFileSync(file, after);
}

function copyTemplate({ id, displayName, kind }: NewVenue): readonly string[] {
  const { folder, test, simulated } = placesOf(id);
  mkdirSync(join(ROOT, folder));
  const copies = readdirSync(join(ROOT, TEMPLATE.folder)).map((name): [string, string] => {
    const from = `${TEMPLATE.folder}/${name}`;
    return [from, from === TEMPLATE.test ? test : `${folder}/${name}`];
  });
  copies.push([TEMPLATE.simulated, simulated]);
  for (const [from, to] of copies) {
    writeFileSync(join(ROOT, to), renamed(readFileSync(join(ROOT, from), 'utf8'), id, displayName));
  }
  const sourceId = nextSourceId(kind);
  edit(`${folder}/index.ts`, (text) =>
    text.replace(/ {2}kind: 'cex',\n.*sourceId.*\n/, `  kind: '${kind}',\n  sourceId: ${sourceId},\n`),
  );
  return copies.map(([, to]) => to);
}

/** Enters the venue in both registries, behind the last of its kind: centralized venues stand first. */
function register({ id, kind }: NewVenue): void {
  const last = VENUES.filter((venue) => venue.kind === kind).at(-1)?.id ?? '';
  edit(ADAPTERS, (text) =>
    text
      .replace(/^import \{ apex \}/m, `import { ${id} } from './${id}/index.ts';\nimport { apex }`)
      .replace(new RegExp(`^  ${last},\\n`, 'm'), `  ${last},\n  ${id},\n`),
  );
  edit(SIMULATED, (text) =>
    text
      .replace(/^import \{ simApex \}/m, `import { ${simName(id)} } from './${id}.ts';\nimport { simApex }`)
      .replace(/\n\];\n/, `\n  ${simName(id)},\n];\n`),
  );
}

/**
 * Makes a venue's files from the template and enters it in both registries. Its decoders are the template's until they are
 * written anew.
 *
 * @returns the paths that were written
 */
export function makeVenue(venue: NewVenue): readonly string[] {
  const made = copyTemplate(venue);
  register(venue);
  const written = [...made, ADAPTERS, SIMULATED];
  const formatted = written.filter((path) => path.endsWith('.ts'));
  execFileSync(
    join(ROOT, 'node_modules/.bin/biome'),
    ['check', '--write', '--log-level=error', ...formatted],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return written;
}
