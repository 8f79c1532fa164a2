import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileChannels } from '../../packages/client/src/file-channels.ts';
import {
  type ChannelRecord,
  type ChannelStore,
  type Eip1193Provider,
  memoryStore,
  type PaymentStore,
} from '../../packages/client/src/index.ts';
import { createRpc } from '../pay/rpc.ts';
import { readDemoFile } from './process/demo-file.ts';

/** Options of a command that pays by channel. */
export interface ChannelFlags {
  /** Most money that may lie unspent in channels, USD. */
  readonly maxDepositUsd?: string;
  /** File of the channels. */
  readonly channelFile?: string;
  /** JSON-RPC of the network, by which a channel is read whose file was lost. */
  readonly rpcUrl?: string;
}

export const RPC_OPTION = 'node of the network, which reads a channel whose file was lost';
export const CHANNEL_FILE_OPTION =
  'file of your channels; default perpmeter/channels.jsonl in XDG_STATE_HOME';

/** The file in which a user's channels are kept, whatever folder a command is started in. */
function channelFile({ channelFile: given }: ChannelFlags): string {
  const state = process.env.XDG_STATE_HOME ?? '';
  return given ?? join(state === '' ? join(homedir(), '.local/state') : state, 'perpmeter/channels.jsonl');
}

/**
 * A store whose channels outlive the process, and whose payments end with it. The folder is made when it is needed: its calls
 * reject where it cannot be.
 */
export function channelStore(flags: ChannelFlags): PaymentStore & { readonly channels: ChannelStore } {
  const path = channelFile(flags);
  const file = new FileChannels(path);
  const made = () => mkdir(dirname(path), { recursive: true });
  const { load, save } = memoryStore();
  const channels = {
    load: () => made().then(() => file.load()),
    save: (record: ChannelRecord) => made().then(() => file.save(record)),
  };
  return { load, save, channels };
}

/** Reads channels from the chain: by the node that is given, else by that of the demo that sells; undefined without either. */
export function channelChain(
  { rpcUrl }: ChannelFlags,
  base: string,
  demo = readDemoFile(),
): Eip1193Provider | undefined {
  const url = rpcUrl ?? (demo?.base_url === base ? demo.rpc_url : undefined);
  if (url === undefined) return undefined;
  const rpc = createRpc(url);
  return { request: ({ method, params = [] }) => rpc(method, [...params]) };
}
