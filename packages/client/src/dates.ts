import { DATE_FIELDS } from './routes.ts';

const NAMES: ReadonlySet<string> = new Set(DATE_FIELDS);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** JSON with the fields that are times as `Date`. */
export const parseDated = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    NAMES.has(name) && typeof value === 'string' && TIME.test(value) ? new Date(value) : value,
  );
