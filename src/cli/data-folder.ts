import { mkdirSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/**
 * Makes the data folder, for its owner alone. A folder that is there keeps its mode.
 *
 * @returns what the operator should mend; undefined = nothing
 */
export function openDataFolder(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return undefined;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return `other users of this machine may read the data folder (mode ${octal}): chmod -R go-rwx ${folder}`;
}
