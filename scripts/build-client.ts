/**
 * Writes the recipes into the README of the client's package and compiles the package, with its routes, into
 * packages/client/dist. Usage: npm run build:client
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { answerHelp } from './usage.ts';

answerHelp();

const PACKAGE = 'packages/client';
/** A place of the README, with the recipe that stands there. */
const RECIPE = /<!-- ([\w-]+) -->\n(?:```ts\n[\s\S]*?```\n)?/g;

const readme = readFileSync(`${PACKAGE}/README.md`, 'utf8').replace(RECIPE, (_, name: string) => {
  const source = readFileSync(`${PACKAGE}/recipes/${name}.ts`, 'utf8');
  return `<!-- ${name} -->\n\`\`\`ts\n${source}\`\`\`\n`;
});
writeFileSync(`${PACKAGE}/README.md`, readme);
execFileSync('npm', ['--prefix', PACKAGE, 'run', '--silent', 'build'], { stdio: 'inherit' });
