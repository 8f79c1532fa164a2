/**
 * Writes the tables of commands in CONTRIBUTING.md from scripts/tasks: `npm run docs tasks`. With `--check` it writes
 * nothing and exits 1 where a table is out of date.
 */
import { writeGeneratedPart } from './generated-part.ts';
import { KINDS } from './tasks/index.ts';

const tables = Object.entries(KINDS).map(([kind, { help, tasks }]) => {
  const rows = Object.entries(tasks).map(
    ([name, task]) => `| \`npm run ${kind} ${name}\` | ${task.help} |\n`,
  );
  return `${help}:\n\n| command | |\n|---|---|\n${rows.join('')}`;
});
writeGeneratedPart('CONTRIBUTING.md', 'npm run docs tasks', tables.join('\n'));
