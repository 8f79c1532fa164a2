import type { Command } from 'commander';
import { CHANNEL_FILE_OPTION, type ChannelFlags, RPC_OPTION } from '../../host/channel-file.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { CloseFlags } from './command.ts';
import type { FindFlags } from './find.ts';

const withFile = (command: Command): Command => command.option('--channel-file <file>', CHANNEL_FILE_OPTION);

/** Adds `channels [list] | find | close`. */
const addChannels: AddCommand = (program) => {
  const parent = program
    .command('channels')
    .description(
      'your payment channels at services that you bought from: list, find lost ones, close with a refund',
    );
  withFile(parent.command('list', { isDefault: true }).description('list channels, with what is left'))
    .option('--json', 'one JSON object a line instead of a table')
    .action(async (flags: ChannelFlags & { readonly json?: true }) => {
      const { channelsList } = await import('./command.ts');
      process.exitCode = await channelsList(flags);
    });
  withFile(
    parent.command('find').description('find channels with a service that the file has lost, on the chain'),
  )
    .option('--url <url>', "service; default PERPMETER_URL, else the demo's")
    .option('--rpc-url <url>', RPC_OPTION)
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .action(async (flags: FindFlags) => {
      const { channelsFind } = await import('./find.ts');
      process.exitCode = await channelsFind(flags);
    });
  withFile(parent.command('close').description('have the rest of a channel refunded'))
    .argument('<id>', 'as the list has it, or its beginning')
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .action(async (id: string, flags: CloseFlags) => {
      const { channelsClose } = await import('./command.ts');
      process.exitCode = await channelsClose(id, flags);
    });
};

/** Payment channels that a buyer's file knows, at every service. */
export const channels: Module = {
  id: 'channels',
  commands: [{ name: 'channels', after: 'buy', add: addChannels }],
};
