export { ChannelBook } from './book.ts';
export { ChannelScheme } from './channel-scheme.ts';
export { statusOf } from './status.ts';
