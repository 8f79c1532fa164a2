/**
 * Adds to package-lock.json the hashes that npm leaves out for native packages of other platforms. npm writes a hash
 * only for what it has downloaded; the registry states one for each release. Run it after each change of dependencies.
 * Exits 1 where the registry does not have a package.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';

function statedHash(name, version) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    const stated = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], options).trim();
    return stated.startsWith('sha512-') ? stated : undefined;
  } catch {
    return undefined;
  }
}

function withHash(entry, integrity) {
  const { version, ...others } = entry;
  return { version, integrity, ...others };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let added = 0;
const unknown = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.link === true || entry.integrity !== undefined) continue;
  const name = path.split('node_modules/').at(-1);
  const integrity = statedHash(name, entry.version);
  if (integrity === undefined) {
    unknown.push(`${name}@${entry.version}`);
    continue;
  }
  lock.packages[path] = withHash(entry, integrity);
  added += 1;
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} hashes added, ${unknown.length} packages that the registry does not have`);
for (const name of unknown) console.log(`without a hash: ${name}`);
process.exitCode = unknown.length === 0 ? 0 : 1;
