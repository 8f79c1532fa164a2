import { NETWORK_OPTION } from '../../host/buyer.ts';
import { CHANNEL_FILE_OPTION, RPC_OPTION } from '../../host/channel-file.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { McpOptions } from './command.ts';

const addMcp: AddCommand = (program, host) => {
  program
    .command('mcp')
    .description('serve a Perpmeter as tools over standard input and output (MCP), paying from a wallet')
    .option('--url <base>', "address of the service; default PERPMETER_URL, else the running demo's")
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .option('--network <id>', NETWORK_OPTION)
    .option('--max-usd <usd>', 'never pay more than this for one call', '0.10')
    .option('--max-total-usd <usd>', 'never pay more than this in all, until it ends', '1.00')
    .option(
      '--max-deposit-usd <usd>',
      'never leave more than this unspent in payment channels; default what is left',
    )
    .option('--no-channel', 'pay each call by itself; default a channel from the third paid call on')
    .option('--channel-file <file>', CHANNEL_FILE_OPTION)
    .option('--rpc-url <url>', RPC_OPTION)
    .option('--folder <path>', 'folder of the demo; default where it is started')
    .option('--print-config', "print the entry of a client's configuration, with absolute paths, and stop")
    .action(async (options: McpOptions) => {
      const { mcpCommand } = await import('./command.ts');
      process.exitCode = await mcpCommand(options, await host.table());
    });
};

/** The routes as tools of the Model Context Protocol: at `/mcp`, and over standard input and output by a command. */
export const mcp: Module = {
  id: 'mcp',
  commands: [{ name: 'mcp', after: 'buy', add: addMcp }],
  open: async ({ options, routes, toolPlaces, priceOf, clock, report }) => {
    const { createMcpMount } = await import('./mcp.ts');
    const { version, data, payments } = options;
    const { serviceName: name, baseUrl } = payments;
    const backend = { name, version, baseUrl, data, routes, toolPlaces, priceOf };
    return { mounts: [createMcpMount({ backend, clock, report })] };
  },
};
