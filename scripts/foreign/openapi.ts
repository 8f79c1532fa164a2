import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isWire } from '../../src/domain/read.ts';
import { complaintOf, packageFile, run, versionOf } from './packages.ts';
import { type Row, rowOf } from './row.ts';

const require = createRequire(import.meta.url);
const GENERATED = packageFile('.generated');

/** The document under the rules of redocly and spectral. */
export async function openapi(url: string): Promise<readonly Row[]> {
  mkdirSync(GENERATED, { recursive: true });
  const file = join(GENERATED, 'openapi.json');
  writeFileSync(file, await (await fetch(`${url}/openapi.json`)).text());
  return [await redocly(file), await spectral(file)];
}

async function redocly(file: string): Promise<Row> {
  const { version } = require('@redocly/cli/package.json') as { version: string };
  const program = require.resolve('@redocly/cli/bin/cli.js');
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [program, 'lint', '--format', 'json', '--config', '../redocly.yaml', file];
  const { stdout } = await run(process.execPath, args, env);
  const report: unknown = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const problems = isWire(report) && Array.isArray(report.problems) ? report.problems : ['no report'];
  const fault = problems.length === 0 ? undefined : JSON.stringify(problems[0]).slice(0, 400);
  return rowOf('OpenAPI, redocly', version, [{ name: 'no problem', fault }]);
}

async function spectral(file: string): Promise<Row> {
  const name = '@stoplight/spectral-cli';
  const program = packageFile(`${name}/dist/index.js`);
  const args = [program, 'lint', file, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
  const ran = await run(process.execPath, args);
  return rowOf('OpenAPI, spectral', versionOf(name), [{ name: 'no problem', fault: complaintOf(ran) }]);
}
