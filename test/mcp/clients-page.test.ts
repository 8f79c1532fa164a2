import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { registryEntry } from '../../scripts/mcpb/registry.ts';
import { commandHost } from '../../src/host/commands.ts';
import { mcp } from '../../src/modules/mcp/module.ts';

const PAGE = readFileSync(new URL('../../docs/mcp-clients.md', import.meta.url), 'utf8');

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry in a block of the page, under the client's name for servers. */
function entriesOf(client: string): Entry | undefined {
  const section = PAGE.split('\n## ').find((part) => part.startsWith(`${client}\n`)) ?? '';
  const [, json] = /^```json\n([\s\S]*?)^```$/m.exec(section) ?? [];
  if (json !== undefined) {
    const { mcpServers, servers = mcpServers } = JSON.parse(json);
    return servers.perpmeter;
  }
  const [, args = 'null'] = /^args = (\[.*\])$/m.exec(section) ?? [];
  const [, command = ''] = /^command = "(.*)"$/m.exec(section) ?? [];
  return { command, args: JSON.parse(args) };
}

/** The options that the command reads of arguments; throws where it does not know one. */
function optionsOf([flag, name, ...args]: readonly string[]): Record<string, unknown> {
  expect([flag, name]).toEqual(['-y', 'perpmeter']);
  const program = new Command().exitOverride();
  for (const { add } of mcp.commands ?? []) add(program, commandHost({}, []));
  let read = {};
  const [command] = program.commands;
  command?.exitOverride().action((options) => {
    read = options;
  });
  program.parse([...args], { from: 'user' });
  return read;
}

describe('the page of clients', () => {
  it.each(['Cursor', 'Claude Code', 'VS Code', 'Codex'])('%s: an entry that the command takes', (client) => {
    const entry = entriesOf(client);
    expect(entry?.command).toBe('npx');
    expect(optionsOf(entry?.args ?? [])).toMatchObject({
      url: 'https://data.example.com',
      maxUsd: '0.10',
      maxTotalUsd: '1',
    });
  });

  it('an option that the command does not know: refused', () => {
    expect(() => optionsOf(['-y', 'perpmeter', 'mcp', '--max-euro', '1'])).toThrow(/unknown option/);
  });
});

describe('the entry of the registry', () => {
  const bundle = { url: 'https://example.com/perpmeter-1.2.3.mcpb', sha256: 'a'.repeat(64) };
  const entry = registryEntry('io.github.owner/perpmeter', '1.2.3', bundle);

  it('its words: as long as the registry takes them', () => {
    expect(entry.description.length).toBeLessThanOrEqual(100);
  });

  it('its packages: of one version, the bundle with its hash', () => {
    expect(entry.packages).toMatchObject([
      { registryType: 'npm', identifier: 'perpmeter', version: '1.2.3', transport: { type: 'stdio' } },
      { registryType: 'mcpb', identifier: bundle.url, version: '1.2.3', fileSha256: bundle.sha256 },
    ]);
    expect(registryEntry('io.github.owner/perpmeter', '1.2.3').packages).toHaveLength(1);
  });
});
