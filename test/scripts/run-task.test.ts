import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../scripts/tasks/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function runTask(...args: readonly string[]) {
  const node = ['--import', 'tsx', 'scripts/run-task.ts', ...args];
  return spawnSync(process.execPath, node, { cwd: ROOT, encoding: 'utf8' });
}

describe('a task', () => {
  it('no name: lists every task of the kind in one line each', () => {
    const { stdout, status } = runTask('soak');
    for (const name of Object.keys(KINDS.soak?.tasks ?? {}))
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(status).toBe(0);
  });

  it('an unknown name: refused with the nearest one', () => {
    const { stderr, status } = runTask('check', 'verfied');
    expect(stderr).toContain('there is no verfied; did you mean verified?');
    expect(status).toBe(2);
  });

  it('a name of Object: refused as any other', () => {
    expect(runTask('check', 'constructor').status).toBe(2);
  });

  it('arguments after the name: given to the program', () => {
    const { stdout, status } = runTask('check', 'size', '--help');
    expect(stdout).toContain('Lines of code without blank lines');
    expect(status).toBe(0);
  });

  it('a program that fails: ends with its exit code', () => {
    expect(runTask('check', 'long', '--nonsense').status).toBe(1);
  });

  it('each names files that are there', () => {
    const named = Object.values(KINDS).flatMap(({ tasks }) =>
      Object.values(tasks).flatMap(({ commands }) =>
        commands.flatMap(({ args }) =>
          args.filter((arg) => /^(?:bench|scripts|test)\/.*\.(?:m?js|ts)$/.test(arg)),
        ),
      ),
    );
    expect(named.filter((file) => !existsSync(`${ROOT}/${file}`))).toEqual([]);
  });

  it('every bench is one', () => {
    const files = readdirSync(`${ROOT}/bench`).filter((name) => name.endsWith('.ts'));
    const run = Object.values(KINDS.bench?.tasks ?? {}).flatMap(({ commands }) =>
      commands.flatMap(({ args }) => args),
    );
    const parts = ['machine.ts', 'statistics.ts'];
    expect(files.filter((name) => !parts.includes(name) && !run.includes(`bench/${name}`))).toEqual([]);
  });
});
