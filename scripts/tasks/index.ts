import { BENCHES } from './benches.ts';
import { CHECKS } from './checks.ts';
import { DOCUMENTS } from './documents.ts';
import { SOAKS } from './soaks.ts';
import type { Tasks } from './task.ts';

/** `npm run <kind> <name>`, each kind with what a task of it is for. */
export const KINDS: Readonly<Record<string, { readonly help: string; readonly tasks: Tasks }>> = {
  check: { help: 'What must hold; exits 1 where it does not', tasks: CHECKS },
  bench: {
    help: 'Speed, as a ratio to a peer in the same run; exits 1 where a bar is missed',
    tasks: BENCHES,
  },
  soak: { help: 'Long random runs, with the seed that repeats them; exits 1 on a breach', tasks: SOAKS },
  docs: {
    help: 'What is written from the sources; most take --check, which writes nothing',
    tasks: DOCUMENTS,
  },
};
