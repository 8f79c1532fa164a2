import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const SOURCES = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));

/** A program for every runtime: buys one answer and prints the outcome. */
const BUYER = `
import { createClient } from './index.ts';
import { keySigner } from './key-signer.ts';

export async function buy([baseUrl, key]) {
  const caps = { perCall: '0.01', total: '0.01' };
  const client = createClient({ baseUrl, wallet: { signer: keySigner(key), caps } });
  const answer = await client.fundingCurrent({ symbol: 'BTC' });
  if (!answer.ok) return { problem: answer.problem.code + ': ' + answer.problem.detail };
  const { data, receipt } = answer;
  return { symbol: data.symbol, paid: receipt?.success === true, spentUsd: client.spentUsd() };
}
`;

/** The outcome of a purchase. */
export const BOUGHT = { symbol: 'BTC', paid: true, spentUsd: '0.001' } as const;

/** A buyer of the client and its signer, in one file without any part of Node.js. Throws where one is asked for. */
export function bundledBuyer(): string {
  const { outputFiles } = buildSync({
    stdin: { contents: BUYER, resolveDir: SOURCES, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    tsconfigRaw: '{}',
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';
  if (/\bfrom ["']node:|\brequire\(["']/.test(text)) throw new Error('the bundle asks for a part of Node.js');
  return text;
}
