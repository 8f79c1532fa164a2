import { existsSync, readdirSync, statSync } from 'node:fs';

/**
 * The latest change of a file, or of anything in a folder, in milliseconds; 0 where there is none. Every start of a checkout
 * asks this of all sources: each entry is looked at once.
 */
export function changedAt(path) {
  return existsSync(path) ? latestOf(path, statSync(path).isDirectory()) : 0;
}

function latestOf(path, isFolder) {
  let latest = statSync(path).mtimeMs;
  if (!isFolder) return latest;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    latest = Math.max(latest, latestOf(`${path}/${entry.name}`, entry.isDirectory()));
  return latest;
}
