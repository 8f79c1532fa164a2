import { readFileSync } from 'node:fs';

/** The options of a script, as `parseArgs` takes them. */
type Options = Readonly<Record<string, { readonly type: string; readonly default?: unknown }>>;

const COMMENT = /^\/\*\*\n([\s\S]*?)\n \*\//m;

/** The usage of a script: the comment that its file begins with, and its options. */
function usageOf(file: string, options: Options): string {
  const comment = COMMENT.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  for (const [name, option] of Object.entries(options)) {
    const given = option.default === undefined || option.default === '' ? '' : ` (default ${option.default})`;
    lines.push(`  --${name}${option.type === 'string' ? ' <value>' : ''}${given}`);
  }
  return lines.join('\n');
}

/** If `--help` was asked for, prints the script's usage and ends the process. */
export function answerHelp(options: Options = {}): void {
  const [, file, ...given] = process.argv;
  if (file === undefined || !(given.includes('--help') || given.includes('-h'))) return;
  process.stdout.write(`${usageOf(file, options)}\n`);
  process.exit(0);
}
