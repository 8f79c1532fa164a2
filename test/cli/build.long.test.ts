import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstLine, startChild } from '../../src/host/process/child.ts';
import { scratchFolder } from './run-cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const checkout = scratchFolder();
const program = join(checkout, 'bin', 'perpmeter');

/** Runs the start script of the copied checkout. */
function start(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: checkout, encoding: 'utf8' });
  return { code: status, stdout: stdout.trim(), hasBuilt: /^perpmeter: built in /m.test(stderr), stderr };
}

describe('the start script', () => {
  beforeAll(() => {
    const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
    for (const name of ['bin', 'src', 'web', 'packages', 'scripts', ...files]) {
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    }
    // They are not in a clone, since they are made from the route table and the list of modules.
    for (const name of ['routes.ts', 'route-facts.ts']) rmSync(join(checkout, 'packages/client/src', name));
    for (const name of ['view-list.ts', 'sections']) rmSync(join(checkout, 'web', name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  });

  const dist = join(checkout, 'dist');
  const piece = join(dist, 'chunk-EARLIER.js');

  it('builds in a fresh checkout, and again only where a source is newer', () => {
    expect(start('--version')).toMatchObject({ code: 0, stdout: version, hasBuilt: true });
    expect(start('--version')).toMatchObject({ code: 0, stdout: version, hasBuilt: false });
    cpSync(join(dist, 'perpmeter.js'), piece);
    const later = new Date(Date.now() + 1000);
    utimesSync(join(checkout, 'src/domain/clock.ts'), later, later);
    expect(start('--version')).toMatchObject({ code: 0, hasBuilt: true });
  });

  it('chunks of an earlier build: kept, and removed by a manual build', () => {
    expect(existsSync(piece)).toBe(true);
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: checkout });
    expect(existsSync(piece)).toBe(false);
    expect(readdirSync(dist)).toEqual(expect.arrayContaining(['perpmeter.js', 'sim.js', 'LICENSES.txt']));
    expect(readFileSync(join(dist, 'LICENSES.txt'), 'utf8')).toMatch(/^viem \d/m);
  });

  it('runs a package, which has no sources, as it is', () => {
    rmSync(join(checkout, 'src'), { recursive: true });
    rmSync(join(checkout, 'scripts'), { recursive: true });
    expect(start('--version')).toMatchObject({ code: 0, stdout: version, hasBuilt: false, stderr: '' });
    const printed = start('serve', '--print-config');
    expect(JSON.parse(printed.stdout)).toMatchObject({ port: 8402, history: 'on' });
  });

  it('no memory settings given: those of the processes of a demo', async () => {
    const shown = join(checkout, 'memory.mjs');
    writeFileSync(
      shown,
      `import v8 from 'node:v8';
      const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ } = process.env;
      const heap = v8.getHeapStatistics().heap_size_limit;
      console.log(JSON.stringify([MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, heap]));`,
    );
    symlinkSync(program, join(checkout, 'perpmeter'));
    const read = (env: Readonly<Record<string, string>>): unknown[] => {
      const options = { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } } as const;
      return JSON.parse(
        execFileSync(join(checkout, 'perpmeter'), ['--version'], options).split('\n', 1)[0] ?? '',
      );
    };
    const NODE_OPTIONS = `--import=${shown}`;
    const child = (await firstLine(startChild('a program', pathToFileURL(shown), []))) as unknown[];
    expect(read({ NODE_OPTIONS })).toEqual(child);
    const [arenas, , heap] = read({
      NODE_OPTIONS: `${NODE_OPTIONS} --max-semi-space-size=64`,
      MALLOC_ARENA_MAX: '4',
    });
    expect(arenas).toBe('4');
    expect(heap).toBeGreaterThan(Number(child[2]));
  });
});
