import type { ChannelRecord, ChannelStore } from '../../packages/client/src/index.ts';
import { answered, done, opener } from './database.ts';

/** The visitor's channels at this service, in this browser: tabs share them, and they outlive all of them. */

const DATABASE = 'perpmeter-channels';
const CHANNELS = 'channels';

const database = opener(DATABASE, CHANNELS, 'id');

export const browserChannels: ChannelStore = {
  async load() {
    const transaction = (await database()).transaction(CHANNELS, 'readonly');
    return answered<ChannelRecord[]>(transaction.objectStore(CHANNELS).getAll());
  },
  async save(record) {
    const transaction = (await database()).transaction(CHANNELS, 'readwrite', { durability: 'strict' });
    const end = done(transaction);
    const channels = transaction.objectStore(CHANNELS);
    const before = await answered<ChannelRecord | undefined>(channels.get(record.id));
    const isNext = (before?.version ?? 0) === record.version - 1;
    if (isNext) channels.put(record);
    await end;
    return isNext;
  },
};
