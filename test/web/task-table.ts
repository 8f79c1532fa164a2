import { readFileSync } from 'node:fs';

/** A task as the manual lists it. */
export interface ListedTask {
  readonly name: string;
  /** True if it begins on the operator's port. */
  readonly isOperators: boolean;
  /** The path or view at which it begins. */
  readonly begins: string;
  readonly clicks: number;
  /** Clicks in the narrowest window. */
  readonly narrowClicks: number;
}

/** A line of the table: number, task, place, clicks, clicks in a narrow window. */
const LINE = /^\| \d+ \| ([^|]+) \| (operator, )?`([^`]+)` \| (\d) \| (\d) \|$/gm;

/** The tasks of a page of the manual, in its order. @param page its name in `docs` */
export const listedTasks = (page: string): readonly ListedTask[] =>
  [...readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8').matchAll(LINE)].map(
    ([, name = '', port, begins = '', clicks, narrowClicks]) => ({
      name,
      isOperators: port !== undefined,
      begins,
      clicks: Number(clicks),
      narrowClicks: Number(narrowClicks),
    }),
  );
