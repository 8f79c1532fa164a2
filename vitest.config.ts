import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { ownTemporaryFolder } from './test/temporary-folder.ts';

ownTemporaryFolder();
// Tests of the client and of the page read its routes, which are not committed.
execFileSync(process.execPath, [fileURLToPath(new URL('scripts/build-routes.mjs', import.meta.url))]);

const CLIENT = fileURLToPath(new URL('packages/client/src', import.meta.url));
const SIM = fileURLToPath(new URL('packages/sim/src', import.meta.url));

/**
 * Tests that put something in the place of a module, or that open the embedded history, of which a process has one, and
 * models that compute for a minute, which takes three in a process full of what other tests have left: each file has a
 * process of its own. All others share three, and what these have loaded.
 */
const ALONE = [
  'test/api/examples.test.ts',
  'test/books/every-venue.test.ts',
  'src/venues/*/schedules.test.ts',
  'test/doctor/examine.test.ts',
  'test/history/!(degraded-settlements).test.ts',
  'test/ops/**/*.test.ts',
  'test/pay/{model,channels/model}.test.ts',
];

/** `npm run check long` has the others. */
const EXCLUDED = ['**/node_modules/**', '**/*.long.test.ts'];

type Files = Parameters<BaseSequencer['sort']>[0];

/** Tests that wait for processes and leases: begun last, they would leave cores idle. */
const LONGEST =
  /\/(shared-identities|ledger-postgres|feed\/nats(-leases|-epochs)?|demo-claim|live|mcp\/http)\.test\.ts$/;

/** Vitest's order, which is by size where no run is remembered, but for what is known to be long. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Files): Promise<Files> {
    const sorted = await super.sort(files);
    const isLong = ({ project, moduleId }: Files[number]): boolean =>
      project.name === 'together' && LONGEST.test(moduleId);
    const isAlone = ({ project }: Files[number]): boolean => project.name !== 'together';
    const others = sorted.filter((file) => !isAlone(file) && !isLong(file));
    return [...sorted.filter(isAlone), ...sorted.filter(isLong), ...others];
  }
}

export default defineConfig({
  // As `paths` in tsconfig.json: packages are imported by their names.
  resolve: {
    alias: [
      { find: /^@perpmeter\/client$/, replacement: `${CLIENT}/index.ts` },
      { find: /^@perpmeter\/client\/(.+)/, replacement: `${CLIENT}/$1.ts` },
      { find: /^@perpmeter\/sim\/(.+)/, replacement: `${SIM}/$1.ts` },
    ],
  },
  test: {
    // Ends what hangs. A slow test has all the time that a busy machine takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    setupFiles: ['./test/property-seed.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores have room for a third: many tests wait for leases and for processes of their own.
    maxWorkers: 3,
    // Both projects load the same sources: each is translated once, and by the next run only where it has changed.
    experimental: { fsModuleCache: true },
    execArgv: [
      // Most of what a test makes is gone at once: a larger young generation spares copying it.
      '--max-semi-space-size=64',
      // The processes share all cores: threads that collect garbage beside them only cost.
      '--single-threaded-gc',
    ],
    reporters: ['default', './test/summary-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...EXCLUDED, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: EXCLUDED } },
    ],
  },
});
