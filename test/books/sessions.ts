import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folders of recordings beside the repository, or where the environment says. */
const ROOTS = {
  samples: process.env.PERPMETER_SAMPLES ?? join(repository, '../shared/samples'),
  sessions: process.env.PERPMETER_SESSIONS ?? join(repository, '../shared/sessions'),
} as const;

function path(root: keyof typeof ROOTS, file: string): string {
  return join(ROOTS[root], file);
}

/** Lines of a recorded file. */
export function readLines(root: keyof typeof ROOTS, file: string): string[] {
  return readFileSync(path(root, file), 'utf8').split('\n').filter(Boolean);
}

/** Frames of a recorded session in the order of arrival. */
export function sessionFrames(file: string): string[] {
  return readLines('sessions', file).map((line) => (JSON.parse(line) as { frame: string }).frame);
}

/** A recorded answer. */
export function readPayload(root: keyof typeof ROOTS, file: string): unknown {
  return JSON.parse(readFileSync(path(root, file), 'utf8'));
}

/** A suite on recordings; one skipped test says so where they are not on this machine. */
export function describeRecorded(root: keyof typeof ROOTS, title: string, suite: () => void): void {
  if (existsSync(ROOTS[root])) describe(title, suite);
  else {
    describe(title, () => {
      it.skip(`no recordings in ${ROOTS[root]}`, () => {});
    });
  }
}
