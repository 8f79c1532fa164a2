/**
 * Compiles the sandbox's contracts and writes their runtime code beside the sources. The results are committed, so
 * that nobody needs a compiler to run the demo: `npx tsx scripts/compile-token.ts`
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isWire } from '../src/domain/read.ts';

const CONTRACTS = [
  'src/pay/sandbox/UsdCoin',
  'src/pay/sandbox/TryAggregate',
  'src/pay/schemes/batch-settlement/sandbox/BatchSettlement',
  'src/pay/schemes/batch-settlement/sandbox/DepositCollector',
  'test/pay/OwnerWallet',
];

interface Compiler {
  compile(input: string): string;
  version(): string;
}

const solc = createRequire(import.meta.url)('solc') as Compiler;

function compile(path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const source = readFileSync(`${path}.sol`, 'utf8');
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output: unknown = JSON.parse(solc.compile(JSON.stringify(input)));
  const runtimeCode = runtimeCodeOf(output, name);
  const sourceSha256 = createHash('sha256').update(source).digest('hex');
  const artifact = {
    contract: name,
    compiler: solc.version(),
    sourceSha256,
    runtimeCode: `0x${runtimeCode}`,
  };
  writeFileSync(`${path}.artifact.json`, `${JSON.stringify(artifact, null, 2)}\n`);
  console.log(`${name}: ${runtimeCode.length / 2} bytes`);
}

function runtimeCodeOf(output: unknown, name: string): string {
  let node: unknown = output;
  for (const key of ['contracts', name, name, 'evm', 'deployedBytecode', 'object']) {
    node = isWire(node) ? node[key] : undefined;
  }
  if (typeof node === 'string' && node.length > 0) return node;
  throw new Error(
    `${name} does not compile: ${JSON.stringify(isWire(output) ? output.errors : output, null, 2)}`,
  );
}

for (const path of CONTRACTS) compile(path);
