export { ChannelBook } from './book.ts';
export { ChannelScheme } from './channel-scheme.ts';
export { closeChannel } from './close.ts';
export { findChannels } from './find.ts';
export { statusOf } from './status.ts';
