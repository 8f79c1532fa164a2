import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The latest change of a file, or of anything in a folder, in milliseconds; 0 where there is none. */
export function changedAt(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce(
    (latest, name) => Math.max(latest, changedAt(join(path, name))),
    stat.mtimeMs,
  );
}
