import type { Firing } from '../webhook/firing.ts';
import type { WatchRecord } from './watch-record.ts';

/** Hears what watches tell, once it is on the disk. */
export interface WatchListener {
  /** A watch is held by this process from now on, or was renewed. */
  held(record: WatchRecord): void;
  /** Another process holds it from now on. */
  released(id: string): void;
  /** It ended long ago, and nothing of it is kept any more. */
  forgotten(id: string): void;
  told(firing: Firing): void;
}

/** Tells several. */
export const everyOne = (listeners: readonly WatchListener[]): WatchListener => ({
  held: (record) => {
    for (const each of listeners) each.held(record);
  },
  released: (id) => {
    for (const each of listeners) each.released(id);
  },
  forgotten: (id) => {
    for (const each of listeners) each.forgotten(id);
  },
  told: (firing) => {
    for (const each of listeners) each.told(firing);
  },
});
