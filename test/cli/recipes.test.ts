import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, readText, type Wire, wireArray } from '../../src/domain/read.ts';
import { writeDemoFile } from '../../src/host/process/demo-file.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_NOW } from '../api/example-market.ts';
import { type McpService, startMcpService } from '../mcp/mcp-service.ts';
import { type OperatorServer, startOperatorServer, TOKEN } from './operator-server.ts';
import { PROGRAM, scratchFolder } from './run-cli.ts';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/recipes.md', ROOT), 'utf8');
const run = promisify(execFile);

let seller: McpService;
let example: ExampleApi;
let operator: OperatorServer;
const folder = scratchFolder();

beforeAll(async () => {
  seller = await startMcpService();
  example = createExampleApi({ mode: 'off', coalesceMs: 0 });
  operator = await startOperatorServer({ allowsActions: false, answer: example.api.answerOperator });
  const buyer = { base_url: seller.url, pids: {}, buyer_private_key: seller.chain.buyer.privateKey };
  writeDemoFile(buyer, join(folder, 'var', 'demo.json'));
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'perpmeter'), program, { mode: 0o700 });
});
afterAll(async () => {
  await operator.close();
  await example.api.close();
  await seller.stop();
  rmSync(folder, { recursive: true });
});

/** Gives the blocks of a language that stand under a heading of the page. */
function blocksOf(heading: string, language: string): readonly string[] {
  const section = PAGE.split('\n## ').find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, block = '']) => block);
}

/** Runs a block as it stands, but for the two ports. */
async function shell(block: string | undefined): Promise<string> {
  const script = (block ?? 'exit 1')
    .replaceAll('http://127.0.0.1:9402', `http://127.0.0.1:${operator.port}`)
    .replaceAll('http://127.0.0.1:8402', seller.url);
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    ADMIN_TOKEN: TOKEN,
  };
  return (await run('sh', ['-e', '-c', script], { cwd: folder, env })).stdout;
}

const linesOf = (file: string): readonly string[] =>
  readFileSync(join(folder, file), 'utf8').trimEnd().split('\r\n');

describe('the page of recipes', () => {
  it('a spreadsheet: bought, with times that it reads', async () => {
    for (const block of blocksOf('A spreadsheet', 'sh')) await shell(block);
    const [header, ...rows] = linesOf('btc.csv');
    expect(header).toMatch(/^ts,venue,/);
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) expect(row).toMatch(/^2026-11-\d\d \d\d:00:00,binance,BTC,/);
  });

  it('SQL over Parquet: the means of the same rows', async () => {
    const [buy] = blocksOf('DuckDB', 'sh');
    const [statement = ''] = blocksOf('DuckDB', 'sql');
    await shell(buy);
    const program =
      "import { query } from 'chdb'; process.stdout.write(query(process.argv[1], 'JSONEachRow'));";
    // The one engine calls a file so, the other by its name alone.
    const sql = statement.replace("'btc.parquet'", `file('${join(folder, 'btc.parquet')}')`);
    const args = ['--input-type=module', '-e', program, sql];
    const { stdout } = await run(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    });
    const days = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(days.map((day) => isWire(day) && [String(day.day).slice(0, 10), Number(day.hours)])).toEqual([
      ...hoursByDay(linesOf('btc.csv')),
    ]);
  });

  it('curl: 402 where it is sold, the answer on the port of the operator', async () => {
    const [sold, free] = blocksOf('curl, and n8n', 'sh');
    expect(await shell(sold)).toMatch(/^402\s*$/);
    expect(JSON.parse(await shell(free))).toMatchObject({ ticker: 'BTC', venues: expect.any(Array) });
  });
});

/** Rows of a CSV by day. */
function hoursByDay([, ...rows]: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.slice(0, 10), (counts.get(row.slice(0, 10)) ?? 0) + 1);
  return counts;
}

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  timestamp: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

describe('the dashboard of Grafana over answers', () => {
  const { panels } = JSON.parse(readFileSync(new URL('ops/grafana/infinity.json', ROOT), 'utf8')) as {
    panels: readonly { readonly title: string; readonly targets: readonly Wire[] }[];
  };
  const queries = panels.flatMap(({ title, targets }) => targets.map((target) => [title, target] as const));

  it('has queries', () => expect(queries.length).toBeGreaterThan(2));

  it.each(queries)('%s: rows, each with its columns', async (_, query) => {
    const answer = await ask(query);
    const rows = wireArray(isWire(answer) ? answer[readText(query.root_selector) ?? ''] : undefined) ?? [];
    expect(rows.length).toBeGreaterThan(0);
    for (const column of (wireArray(query.columns) ?? []).filter(isWire)) {
      const values = rows.map((row) => (isWire(row) ? row[readText(column.selector) ?? ''] : undefined));
      const fits = FITS[readText(column.type) ?? ''] ?? (() => false);
      expect(
        values.filter((value) => value !== null && !fits(value)),
        String(column.selector),
      ).toEqual([]);
      expect(values.some(fits), String(column.selector)).toBe(true);
    }
  });
});

/** Asks the operator's port as the data source does: its variables filled in, the token as the data source's own setting. */
async function ask(query: Wire): Promise<unknown> {
  const variables: Readonly<Record<string, string>> = {
    ticker: 'BTC',
    venue: 'binance',
    __from: String(EXAMPLE_NOW - 3 * 86_400_000),
    __to: String(EXAMPLE_NOW),
  };
  const url = new URL(readText(query.url) ?? '', `http://127.0.0.1:${operator.port}`);
  const options = isWire(query.url_options) ? query.url_options : {};
  for (const parameter of (wireArray(options.params) ?? []).filter(isWire)) {
    const value = (readText(parameter.value) ?? '').replace(
      /\$\{(\w+)\}/g,
      (_, name: string) => variables[name] ?? '',
    );
    url.searchParams.set(readText(parameter.key) ?? '', value);
  }
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  return response.json();
}
