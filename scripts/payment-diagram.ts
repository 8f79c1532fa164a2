/**
 * Draws the life of a payment in docs/payments.md from its table: `npm run docs:payments`. With `--check` it writes
 * nothing and exits 1 where the drawing is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LIFECYCLE, type Stage, type TransitionRule } from '../src/pay/lifecycle.ts';

const PATH = fileURLToPath(new URL('../docs/payments.md', import.meta.url));
const [BEGIN, END] = ['<!-- by npm run docs:payments -->\n', '<!-- end -->\n'];

const nameOf = (stage: Stage): string => (stage === 'none' ? '[*]' : stage);

function line(from: Stage, event: string, { to, store, action }: TransitionRule): string {
  const effects = [...store, ...(action === undefined ? [] : [action])];
  const what = effects.length === 0 ? '' : ` / ${effects.join(', ')}`;
  return `  ${nameOf(from)} --> ${nameOf(to)}: ${event}${what}`;
}

function diagram(): string {
  const stages = Object.entries(LIFECYCLE) as [Stage, Record<string, TransitionRule>][];
  const lines = stages.flatMap(([from, cells]) =>
    Object.entries(cells).map(([event, cell]) => line(from, event, cell)),
  );
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```', ''].join('\n');
}

/** The page with its drawing as the table is. Throws where the page has no place for it. */
function withDiagram(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/payments.md has no place for the drawing');
  return `${page.slice(0, from)}${BEGIN}\n${diagram()}\n${page.slice(to)}`;
}

const found = readFileSync(PATH, 'utf8');
const wanted = withDiagram(found);
if (!process.argv.includes('--check')) writeFileSync(PATH, wanted);
else if (found !== wanted) {
  console.error('docs/payments.md is out of date: npm run docs:payments');
  process.exitCode = 1;
}
