/**
 * Draws the life of a payment in docs/payment-lifecycle.md from its table: `npm run docs payments`. With `--check` it writes
 * nothing and exits 1 where the drawing is out of date.
 */
import { LIFECYCLE, type Stage, type TransitionRule } from '../src/pay/lifecycle.ts';
import { writeGeneratedPart } from './generated-part.ts';

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

writeGeneratedPart('docs/payment-lifecycle.md', 'npm run docs payments', diagram());
