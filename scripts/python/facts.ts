import { PROBLEM_ERRORS } from '../../src/domain/errors.ts';
import { readText } from '../../src/domain/read.ts';
import { type ClientRoute, called, dateFields } from '../client-schema.ts';
import { tableOf } from './table.ts';
import { HEAD, literal, pythonName } from './words.ts';

/** The source of `_columns.py`: by path the list that is a table, and what each of its columns is, with its unit. */
export function pythonColumns(routes: readonly ClientRoute[]): string {
  const tables = called(routes).flatMap((route) => {
    const table = tableOf(route);
    if (table === undefined) return [];
    const columns = table[1].map(
      ({ name, schema }) => `            ${literal(name)}: ${literal(readText(schema.description) ?? '')},\n`,
    );
    return [
      `    ${literal(route.path)}: (\n        ${literal(table[0])},\n        {\n${columns.join('')}        },\n    ),\n`,
    ];
  });
  return `${HEAD}"""Tables of answers, by path: name of the list, and meaning and unit of its columns."""

from __future__ import annotations

from typing import Final

COLUMNS: Final[dict[str, tuple[str, dict[str, str]]]] = {
${tables.join('')}}
`;
}

/** The source of `_facts.py`: paths of the routes, errors, and fields that are times. */
export function pythonFacts(routes: readonly ClientRoute[]): string {
  const paths = called(routes).map(({ id, path }) => `    ${literal(pythonName(id))}: ${literal(path)},\n`);
  const errors = Object.entries(PROBLEM_ERRORS).map(
    ([code, { status, charged, remedy }]) =>
      `    ${literal(code)}: (${status}, ${literal(charged)}, ${literal(remedy)}),\n`,
  );
  const dates = dateFields(called(routes)).map((name) => `        ${literal(name)},\n`);
  return `${HEAD}"""Facts of the route table."""

from __future__ import annotations

from typing import Final

PATHS: Final[dict[str, str]] = {
${paths.join('')}}

ERRORS: Final[dict[str, tuple[int, bool | None, str]]] = {
${errors.join('')}}
"""Status of each error, whether anything was charged (None: that is not known yet), and its remedy."""

DATE_FIELDS: Final = frozenset(
    {
${dates.join('')}    }
)
"""Fields that are times."""
`;
}
