import { reasonOf } from '../../../runtime/reason-of.ts';
import { StoreUnreachable, StoreWriteError } from '../../../storage/remote-state.ts';
import { LEDGER_AWAY, LEDGER_FULL } from '../../replies.ts';
import type { ReadChannel } from './chain.ts';
import type { ChainView } from './chain-view.ts';
import type { Channels } from './channels.ts';

export interface LookOptions {
  readonly channels: Channels;
  readonly readChannel: ReadChannel;
}

/** Asks the chain for a channel, and notes what it says; the reason where it says nothing. */
export async function look({ channels, readChannel }: LookOptions, id: string): Promise<ChainView | string> {
  try {
    const view = await readChannel(id);
    await channels.see(id, view);
    return view;
  } catch (cause) {
    return (
      ledgerFault(cause) ?? (reasonOf(cause).startsWith('eth_call') ? 'node_failed' : 'node_unreachable')
    );
  }
}

/** The reason where the ledger has failed, as buyers are answered by it; undefined where something else has. */
export function ledgerFault(cause: unknown): string | undefined {
  if (cause instanceof StoreUnreachable) return LEDGER_AWAY;
  return cause instanceof StoreWriteError ? LEDGER_FULL : undefined;
}
