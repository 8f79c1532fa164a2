import type { Http } from '../http.ts';
import type { Approving, Bought, Purse } from '../purse.ts';
import type { FollowedRows, FollowedTopic, PaidStream } from './options.ts';

/** The parts of a client that follow a stream. */
export interface FollowParts {
  readonly http: Http;
  readonly baseUrl: string;
  readonly request: (path: string, call: Approving) => Promise<Bought>;
  /** Undefined without a wallet. */
  readonly purse: Pick<Purse, 'open' | 'channels'> | undefined;
  readonly now: () => number;
}

/** A followed stream as its caller sees it. */
export interface FollowState {
  readonly rows: { readonly [K in FollowedTopic]: Map<string, FollowedRows[K]> };
  stream: PaidStream | undefined;
  spentUsd: string;
}
