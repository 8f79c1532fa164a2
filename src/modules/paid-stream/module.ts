import { NETWORK_OPTION } from '../../host/buyer.ts';
import { CHANNEL_FILE_OPTION, RPC_OPTION } from '../../host/channel-file.ts';
import type { AddCommand } from '../../host/command.ts';
import type { Module } from '../../host/module.ts';
import type { FollowFlags } from './follow-command.ts';

const addFollow: AddCommand = (program) => {
  program
    .command('follow')
    .description('buy a live stream, read it and pay for it until Ctrl-C; its events on standard output')
    .argument(
      '<path>',
      'path of minutes with its query, or the query alone: topics=funding,touches&symbol=BTC',
    )
    .option('--url <base>', "address of the service; default PERPMETER_URL, else the running demo's")
    .option('--key <hex>', "private key; default PERPMETER_BUYER_KEY, else the demo's buyer")
    .option('--network <id>', NETWORK_OPTION)
    .option('--max-usd <usd>', 'never pay more than this in all', '0.10')
    .option('--max-usd-per-hour <usd>', 'never pay more than this in an hour')
    .option('--minutes <count>', 'most paid minutes that are bought; it ends with the last of them')
    .option('--websocket', 'read by WebSocket; default server-sent events')
    .option('--channel', 'pay by a payment channel, minute by minute; default ten minutes at a time')
    .option('--max-deposit-usd <usd>', 'with --channel: never leave more than this unspent in channels')
    .option('--channel-file <file>', CHANNEL_FILE_OPTION)
    .option('--rpc-url <url>', RPC_OPTION)
    .action(async (path: string, flags: FollowFlags) => {
      const { followCommand } = await import('./follow-command.ts');
      process.exitCode = await followCommand(path, flags);
    });
};

/** Live rows of chosen assets and venues as events, paid by the minute. */
export const paidStream: Module = {
  id: 'paid-stream',
  needs: ['tables'],
  commands: [{ name: 'follow', after: 'buy', add: addFollow }],
  products: async () => {
    const [minute, tenMinutes, hour, day, state, { default: prices }] = await Promise.all([
      import('./stream-minute.ts'),
      import('./stream-ten-minutes.ts'),
      import('./stream-hour.ts'),
      import('./stream-day.ts'),
      import('./stream-state.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    const name = 'funding_rates';
    return {
      products: [
        {
          product: minute.streamMinute,
          after: 'perp-snapshot',
          tool: { name },
        },
        { product: tenMinutes.streamTenMinutes, after: 'stream-minute', tool: { name } },
        { product: hour.streamHour, after: 'stream-ten-minutes', tool: { name } },
        { product: day.streamDay, after: 'stream-hour', tool: { name } },
        { product: state.streamState, after: 'stream-day' },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-paid-stream.ts')).openPaidStreams(host),
};
