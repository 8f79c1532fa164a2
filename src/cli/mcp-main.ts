import { Command } from 'commander';
import { commandHost } from '../host/commands.ts';
import { VERSION } from '../host/version.ts';
import { MODULES } from '../modules/list.ts';

/** The program of the bundle for desktop clients: the command `mcp` alone. */
const program = new Command('perpmeter').version(VERSION);
const host = commandHost({}, MODULES);
for (const { name, add } of host.blocks) if (name === 'mcp') add(program, host);
await program.parseAsync();
