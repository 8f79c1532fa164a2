import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGE, runPython } from './python.ts';

interface Finding {
  readonly code: string | null;
  readonly message: string;
  readonly start_location: { readonly row: number };
}

interface Workspace {
  check(source: string): readonly Finding[];
  format(source: string): string;
}

interface Ruff {
  readonly Workspace: new (settings: object, positions: number) => Workspace;
  readonly PositionEncoding: { readonly Utf16: number };
}

interface Settings {
  readonly format: { readonly exclude: readonly string[] };
}

const require = createRequire(import.meta.url);
const { Workspace, PositionEncoding } = require('@astral-sh/ruff-wasm-nodejs') as Ruff;

/** The settings of Ruff in the package's pyproject.toml. */
async function settings(): Promise<Settings> {
  const read =
    "import json, tomllib; print(json.dumps(tomllib.load(open('pyproject.toml', 'rb'))['tool']['ruff']))";
  return JSON.parse((await runPython(['-c', read])).said) as Settings;
}

/** Findings of Ruff in the package's sources and tests, and the files that it would format otherwise. */
export async function ruffFindings(): Promise<readonly string[]> {
  const { format, ...rules } = await settings();
  const workspace = new Workspace(rules, PositionEncoding.Utf16);
  const files = readdirSync(PACKAGE, { recursive: true }).map(String);
  return files
    .filter((file) => file.endsWith('.py'))
    .flatMap((file) => {
      const source = readFileSync(join(PACKAGE, file), 'utf8');
      const found = workspace
        .check(source)
        .map(({ code, message, start_location: { row } }) => `${file}:${row} ${code} ${message}`);
      const isFormatted = format.exclude.includes(file) || workspace.format(source) === source;
      return isFormatted ? found : [...found, `${file}: is formatted otherwise`];
    });
}
