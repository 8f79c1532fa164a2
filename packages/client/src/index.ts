export type { Caps } from './budget.ts';
export { type Challenge, chainIdOf, type Requirement, readChallenge } from './challenge.ts';
export { type ChannelRecord, type ChannelStore, memoryChannels } from './channels/channel.ts';
export type {
  ChannelOptions,
  ChannelStatus,
  ClosedChannel,
  FoundChannels,
  LostChannel,
  VoucherKey,
  WithdrawCall,
} from './channels/options.ts';
export { type Client, type ClientOptions, createClient, type RawResult } from './client.ts';
export { type Eip1193Provider, eip1193Signer } from './eip1193-signer.ts';
export type {
  BoughtMinutes,
  FollowEnd,
  FollowEvent,
  FollowedFunding,
  FollowedQuote,
  FollowedRows,
  FollowedSignal,
  FollowedTopic,
  FollowedTouch,
  Following,
  FollowOptions,
  PaidStream,
  StreamedEvent,
} from './follow/options.ts';
export type { Fetch } from './http.ts';
export type { OpenPayment } from './open-payments.ts';
export { catalogPages, ratePages, windows } from './pages.ts';
export type { Signer, TypedData } from './payment.ts';
export { type KeySource, type PublishedKeysOptions, publishedKeys } from './published-keys.ts';
export {
  type Answer,
  type As,
  type CallOptions,
  type Dated,
  dataOf,
  type Failed,
  PerpmeterError,
  type Problem,
  type Receipt,
  type Reply,
  type Result,
} from './result.ts';
export type * from './route-facts.ts';
export type * from './routes.ts';
export { memoryStore, type PaymentRecord, type PaymentStore } from './store.ts';
export { liveRows, type StreamEvent, type StreamOptions, type StreamRow } from './stream.ts';
export { atomicOf, usdOf } from './usd.ts';
export type { Allowed, WalletOptions } from './wallet-options.ts';
export {
  challengeAnswer,
  verifyWebhook,
  WEBHOOK_FAULTS,
  type Webhook,
  type WebhookFault,
  type WebhookRequest,
  type WebhookResult,
} from './webhook.ts';
