import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';
import { install, versionOf as versionOfProgram } from '../proxies/process.ts';
import { casesIn, complaintOf, packageFile, type Ran, run, versionOf } from './packages.ts';
import { type Row, rowOf } from './row.ts';
import { type Running, startSeller } from './sellers.ts';

const require = createRequire(import.meta.url);
const GENERATED = packageFile('.generated');
const STRICT = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
const TYPES = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', '../node_modules/@types'];
const GO = { name: 'go', version: ['version'], package: 'golang-go' } as const;
/** Nothing but Debian's own Go and its standard library is used. */
const GO_ENV = { GOPROXY: 'off', GOTOOLCHAIN: 'local' };

/** A generator of TypeScript: its program, and its arguments for a client in `to`, of the documents of both versions. */
interface Generator {
  readonly of: string;
  readonly program: string;
  args(documents: Documents, to: string): readonly string[];
}

interface Documents {
  readonly as31: string;
  readonly as30: string;
}

const GENERATORS: readonly Generator[] = [
  { of: 'openapi-typescript', program: 'bin/cli.js', args: ({ as31 }, to) => [as31, '-o', to] },
  {
    of: 'orval',
    program: 'dist/bin/orval.js',
    args: ({ as30 }, to) => ['--input', as30, '--output', to, '--client', 'fetch'],
  },
  {
    of: 'swagger-typescript-api',
    program: 'dist/cli.mjs',
    args: ({ as30 }, to) => ['generate', '-p', as30, '-o', GENERATED, '-n', to.slice(GENERATED.length + 1)],
  },
];

/** Clients that others' generators make of the documents: compiled strictly, then they buy. */
export async function generators(say: (done: string) => void): Promise<readonly Row[]> {
  const chain = await startSandboxChain({ blockTimeSeconds: 1 });
  const seller = await startSeller(chain, {
    PAYMENTS_MODE: 'self',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
  });
  try {
    rmSync(GENERATED, { recursive: true, force: true });
    const documents = {
      as31: await keep(seller, 'openapi.json'),
      as30: await keep(seller, 'openapi-3.0.json'),
    };
    const rows: Row[] = [];
    for (const generator of GENERATORS) {
      say(generator.of);
      rows.push(await typescript(generator, documents, [seller.url, chain.buyer.privateKey]));
    }
    say('quicktype, Go');
    return [...rows, await go(documents.as31, seller.url, chain.buyer.privateKey)];
  } finally {
    await seller.stop();
    await chain.stop();
  }
}

async function keep({ url }: Running, name: string): Promise<string> {
  mkdirSync(GENERATED, { recursive: true });
  const file = join(GENERATED, name);
  writeFileSync(file, await (await fetch(`${url}/${name}`)).text());
  return file;
}

async function typescript(
  { of, program, args }: Generator,
  documents: Documents,
  buyer: readonly string[],
): Promise<Row> {
  const generator = packageFile(`${of}/${program}`);
  const made = await run(process.execPath, [generator, ...args(documents, join(GENERATED, `${of}.ts`))]);
  const tsc = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  const client = `generated/${of}.ts`;
  const compiled = await run(process.execPath, [tsc, ...STRICT, ...TYPES, '--ignoreConfig', client]);
  const ran = await run(process.execPath, ['--import', import.meta.resolve('tsx'), client, ...buyer]);
  return rowOf(`generated client, ${of}`, versionOf(of), [
    { name: 'is generated', fault: complaintOf(made) },
    { name: 'is compiled', fault: complaintOf(compiled) },
    ...casesIn(ran),
  ]);
}

/** The structs of all schemas by quicktype, and a program of Go's standard library that reads answers into them. */
async function go(document: string, url: string, key: string): Promise<Row> {
  const suite = 'generated structs of Go, quicktype';
  const folder = join(GENERATED, 'go');
  try {
    install([GO]);
  } catch (cause) {
    return rowOf(suite, '', [], [`left out: golang-go cannot be installed (${reasonOf(cause)})`]);
  }
  mkdirSync(folder);
  copyFileSync(packageFile('../generated/go/main.go'), join(folder, 'main.go'));
  writeFileSync(join(folder, 'go.mod'), 'module client\n\ngo 1.19\n');
  const language = ['--src-lang', 'schema', '--lang', 'go', '--package', 'main', '--omit-empty'];
  const source = ['--src', `${document}#/components/schemas/`, '-o', join(folder, 'answers.go')];
  const program = packageFile('quicktype/dist/index.js');
  const made = await run(process.execPath, [program, '--telemetry', 'disable', ...language, ...source]);
  const vetted = await inGo(['vet', '.'], folder);
  const built = await inGo(['build', '-o', 'client', '.'], folder);
  const signer = [process.execPath, packageFile('../generated/sign.mjs'), key];
  const ran = await run(join(folder, 'client'), [url, ...signer]);
  return rowOf(suite, `${versionOf('quicktype')}, Go ${versionOfProgram(GO)}`, [
    { name: 'is generated', fault: complaintOf(made) },
    { name: 'is vetted', fault: complaintOf(vetted) },
    { name: 'is built', fault: complaintOf(built) },
    ...casesIn(ran),
  ]);
}

const inGo = (args: readonly string[], folder: string): Promise<Ran> => run(GO.name, args, GO_ENV, folder);
