import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'perpmeter-tests-';

/** Gives a run of tests a folder for temporary files of its own, which goes with the run. */
export function ownTemporaryFolder(): void {
  // Vitest reads its configuration once for each project.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // PostgreSQL does not run as root, and has a folder in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // A server that ends with its test may still be writing.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
