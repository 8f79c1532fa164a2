import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isWire } from '../../src/domain/read.ts';
import { casesIn, packageFile, run, versionOf } from './packages.ts';
import { type Row, rowOf } from './row.ts';

const require = createRequire(import.meta.url);
const GENERATED = packageFile('.generated');
const TYPES = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];

/** The document under the rules of redocly and spectral, and a client generated from it at work. */
export async function openapi(url: string, key: string): Promise<readonly Row[]> {
  mkdirSync(GENERATED, { recursive: true });
  const file = join(GENERATED, 'openapi.json');
  writeFileSync(file, await (await fetch(`${url}/openapi.json`)).text());
  return [await redocly(file), await spectral(file), await generated(file, url, key)];
}

const complaint = (what: string, said: string, code: number | null) =>
  code === 0 ? undefined : `${what}: ${said.trim().slice(-400)}`;

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
  const { code, stdout, stderr } = await run(process.execPath, args);
  return rowOf('OpenAPI, spectral', versionOf(name), [
    { name: 'no problem', fault: complaint('spectral', stdout + stderr, code) },
  ]);
}

async function generated(file: string, url: string, key: string): Promise<Row> {
  const generator = packageFile('openapi-typescript/bin/cli.js');
  const made = await run(process.execPath, [generator, file, '-o', join(GENERATED, 'schema.d.ts')]);
  const tsc = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  const flags = [
    ...TYPES,
    '--allowImportingTsExtensions',
    '--types',
    'node',
    '--typeRoots',
    '../node_modules/@types',
  ];
  const compiled = await run(process.execPath, [tsc, ...flags, '--ignoreConfig', 'generated-client.ts']);
  const program = ['--import', import.meta.resolve('tsx'), 'generated-client.ts', url, key];
  const ran = await run(process.execPath, program);
  return rowOf('OpenAPI, generated client', versionOf('openapi-typescript'), [
    { name: 'is generated', fault: complaint('openapi-typescript', made.stderr, made.code) },
    { name: 'is compiled', fault: complaint('tsc', compiled.stdout, compiled.code) },
    ...casesIn(ran),
  ]);
}
