export { closeChannel } from './close.ts';
export { findChannels } from './find.ts';
