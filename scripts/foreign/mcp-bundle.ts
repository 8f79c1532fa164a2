import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { reasonOf } from '../../src/runtime/reason-of.ts';
import { type manifestOf, PROGRAM } from '../mcpb/manifest.ts';
import { complaintOf, packageFile, run, versionOf } from './packages.ts';
import { type Case, type Row, rowOf } from './row.ts';
import { startSeller } from './sellers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MCPB = '@anthropic-ai/mcpb';
type Manifest = ReturnType<typeof manifestOf>;

/** The bundle for desktop clients by the makers of its format: validated, unpacked, started as a client does, and bought with. */
export async function mcpBundle(say: (done: string) => void): Promise<readonly Row[]> {
  const chain = await startSandboxChain({ blockTimeSeconds: 1 });
  const seller = await startSeller(chain, {
    PAYMENTS_MODE: 'self',
    FACILITATOR_PRIVATE_KEY: chain.facilitator.privateKey,
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcpb-'));
  try {
    say('bundle');
    const cases = await unpacked(folder);
    say('its program');
    const settings = { url: seller.url, key: chain.buyer.privateKey, max_usd: '0.1', max_total_usd: '1' };
    cases.push(...(await started(folder, settings)));
    return [rowOf('MCP bundle, mcpb', versionOf(MCPB), cases)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await seller.stop();
    await chain.stop();
  }
}

async function unpacked(folder: string): Promise<Case[]> {
  execFileSync('npm', ['run', '--silent', 'build:mcpb'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const file = join(ROOT, `dist/mcpb/perpmeter-${version}.mcpb`);
  const mcpb = (...args: readonly string[]) =>
    run(process.execPath, [packageFile(`${MCPB}/dist/cli/cli.js`), ...args]);
  const out = await mcpb('unpack', file, folder);
  const valid = await mcpb('validate', join(folder, 'manifest.json'));
  const icon = statSync(join(folder, 'icon.png'), { throwIfNoEntry: false });
  return [
    { name: 'is unpacked', fault: complaintOf(out) },
    { name: 'is valid', fault: complaintOf(valid) },
    { name: 'has its icon', fault: icon === undefined ? 'no icon.png' : undefined },
  ];
}

/** Starts what the manifest says, with a user's settings in the places of their names. */
async function started(folder: string, settings: Readonly<Record<string, string>>): Promise<readonly Case[]> {
  const { server } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const filled = (text: string): string =>
    text
      .replaceAll('$' + '{__dirname}', folder)
      .replace(/\$\{user_config\.(\w+)\}/g, (_, name: string) => settings[name] ?? '');
  const { args, env } = server.mcp_config;
  const client = new Client({ name: 'foreign', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: args.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    cwd: tmpdir(),
  });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const bought = await client.callTool({
      name: 'funding_rates',
      arguments: { product: 'funding-current', symbol: 'BTC' },
    });
    const said = JSON.stringify(bought.structuredContent ?? bought).slice(0, 400);
    const isBought = bought.isError !== true && said.includes('"funding-current"');
    const budget = await client.callTool({ name: 'prices_and_budget', arguments: {} });
    const spent = /"spent_usd":"?0\.001/.test(JSON.stringify(budget.structuredContent ?? budget));
    return [
      { name: `${PROGRAM} lists tools`, fault: tools.length > 5 ? undefined : `${tools.length} tools` },
      { name: 'buys', fault: isBought ? undefined : said },
      { name: 'counts', fault: spent ? undefined : JSON.stringify(budget).slice(0, 400) },
    ];
  } catch (cause) {
    return [{ name: 'is started', fault: reasonOf(cause) }];
  } finally {
    await client.close();
  }
}
