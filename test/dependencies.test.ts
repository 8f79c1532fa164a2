import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import table from '../scripts/advisories.json' with { type: 'json' };
import { DAY_MS } from '../src/runtime/duration.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCKS = ['package-lock.json', 'foreign/package-lock.json'] as const;
/** Malicious and broken releases are mostly found within days. */
const OLD_ENOUGH_DAYS = 14;

interface Advisory {
  readonly package: string;
  readonly advisory: string;
  readonly affected: string;
  /** Reasons for which a lock file may hold an affected version, by lock file. */
  readonly accepted?: Readonly<Record<string, string>>;
}
interface Release {
  readonly version: string;
  readonly released: string;
  /** The reason for taking it before its time. */
  readonly young?: string;
}
const advisories: readonly Advisory[] = table.advisories;
const releases: Readonly<Record<string, Release>> = table.releases;

interface Locked {
  readonly version?: string;
  readonly name?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}
type Named = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Named;
  readonly devDependencies: Named;
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8'));
}

/** Every version of a package that a lock file has. */
function versionsIn(lock: string, name: string): string[] {
  const { packages } = read<Lock>(lock);
  const found = Object.entries(packages)
    .filter(([path, entry]) => (entry.name ?? path.split('node_modules/').at(-1)) === name && path !== '')
    .flatMap(([, { version }]) => version ?? []);
  return [...new Set(found)];
}

/** Below, at or above zero. A version before a release counts as that release: the tables' bounds are releases. */
function compare(a: string, b: string): number {
  const [first, second] = [a, b].map((text) =>
    text
      .replace(/[-+].*/, '')
      .split('.')
      .map(Number),
  );
  for (const i of [0, 1, 2]) {
    const difference = (first?.[i] ?? Number.NaN) - (second?.[i] ?? Number.NaN);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `>=8.0.0 <8.21.0 || <5.2.5` */
function isWithin(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((bound) => {
        const [, sign = '', at = ''] = /^(>=|<=|<|>|=)(\d+\.\d+\.\d+)$/.exec(bound) ?? [];
        const difference = compare(version, at);
        if (Number.isNaN(difference)) throw new Error(`"${bound}" is no bound of a version`);
        if (sign === '<') return difference < 0;
        if (sign === '<=') return difference <= 0;
        if (sign === '>') return difference > 0;
        return sign === '>=' ? difference >= 0 : difference === 0;
      }),
  );
}

describe('the table of advisories', () => {
  it.each([
    ['8.20.9', '>=8.0.0 <8.21.0 || <5.2.5', true],
    ['8.21.0', '>=8.0.0 <8.21.0 || <5.2.5', false],
    ['5.2.4', '>=8.0.0 <8.21.0 || <5.2.5', true],
    ['7.10.0', '<=7.9.9', false],
    ['7.9.9', '<=7.9.9', true],
    ['1.0.0', '=1.0.0', true],
  ])('version %s in %s: %s', (version, range, expected) => {
    expect(isWithin(version, range)).toBe(expected);
  });

  it.each(LOCKS)('names no version that %s has, except where it says why', (lock) => {
    const hit = advisories.flatMap((advisory) =>
      versionsIn(lock, advisory.package)
        .filter((version) => isWithin(version, advisory.affected))
        .filter(() => advisory.accepted?.[lock] === undefined)
        .map((version) => `${advisory.package} ${version}: ${advisory.advisory}`),
    );
    expect(hit).toEqual([]);
  });

  it('excuses nothing that is no longer there', () => {
    const idle = advisories.flatMap((advisory) =>
      Object.keys(advisory.accepted ?? {})
        .filter(
          (lock) =>
            !versionsIn(lock, advisory.package).some((version) => isWithin(version, advisory.affected)),
        )
        .map((lock) => `${advisory.advisory} in ${lock}`),
    );
    expect(idle).toEqual([]);
  });

  it('has each advisory once', () => {
    const names = advisories.map((advisory) => `${advisory.package} ${advisory.advisory}`);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('hashes of the lock files', () => {
  function withoutHash(lock: string): string[] {
    return Object.entries(read<Lock>(lock).packages)
      .filter(([path, { link }]) => path !== '' && link !== true)
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path.split('node_modules/').at(-1) ?? path)
      .sort();
  }

  it('package-lock.json: each package has one, but for those excused', () => {
    expect(withoutHash('package-lock.json')).toEqual(Object.keys(table.withoutHash).sort());
  });

  it('foreign/package-lock.json: each package has one', () => {
    expect(withoutHash('foreign/package-lock.json')).toEqual([]);
  });
});

describe('direct dependencies', () => {
  const { dependencies, devDependencies } = read<Manifest>('package.json');
  const direct = Object.entries({ ...dependencies, ...devDependencies });

  it('have the version and the day of their release in the table', () => {
    const recorded = Object.entries(releases).map(([name, { version }]) => [name, version]);
    expect(recorded.sort()).toEqual(direct.map(([name, version]) => [name, version]).sort());
  });

  it('were fourteen days old, except where the table tells why', () => {
    const limit = Date.parse(table.asOf) - OLD_ENOUGH_DAYS * DAY_MS;
    const young = Object.entries(releases).filter(([, { released }]) => !(Date.parse(released) <= limit));
    const excused = Object.entries(releases).filter(([, one]) => one.young !== undefined);
    expect(young.map(([name]) => name)).toEqual(excused.map(([name]) => name));
  });
});

// With --omit dev, npm leaves out what is needed both to run and to develop.
it('npm run sbom lists every package of the lock file as CycloneDX', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8' });
  const bom: { bomFormat: string; components: readonly { purl: string }[] } = JSON.parse(text);
  expect(bom.bomFormat).toBe('CycloneDX');
  const listed = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl).replace(/\?.*/, '')));
  const locked = Object.entries(read<Lock>('package-lock.json').packages)
    .filter(([path]) => path !== '')
    .map(([path, { name, version }]) => `pkg:npm/${name ?? path.split('node_modules/').at(-1)}@${version}`);
  expect(locked.filter((purl) => !listed.has(purl))).toEqual([]);
});
