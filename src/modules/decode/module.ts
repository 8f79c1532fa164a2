import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { DecodeOptions } from './command.ts';

const addDecode: AddCommand = (program, { recorded }) => {
  program
    .command('decode')
    .description("run a venue's own decoder on a recorded payload; no network")
    .argument('[file]', 'JSON, or JSON lines for frames; - is standard input', '-')
    .requiredOption('--venue <id>', 'venue, also hyperliquid-<dex>')
    .option('--market <kind>', `perpetual or ${[...recorded.keys()].join(', ')}`, 'perpetual')
    .requiredOption('--url <call>', 'path and query, full URL, channel or name of the call')
    .option('--method <method>', 'GET or POST')
    .option('--body <text>', 'request body, where it says what was asked')
    .option('--context <file...>', 'recorded instrument list, where units need it')
    .option('--received-at <time>', 'ISO time of receipt, for values that depend on it')
    .action(async (file: string, options: DecodeOptions) => {
      const { decodeCommand } = await import('./command.ts');
      process.exitCode = await decodeCommand(file, options, recorded);
    });
};

/** Recorded payloads of venues, read by the decoders of the service. */
export const decode: Module = {
  id: 'decode',
  commands: [{ name: 'decode', after: 'serve', add: addDecode }],
};
