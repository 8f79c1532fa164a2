import type { Instrument } from '../domain/instrument.ts';
import type { Continuity } from './book-continuity.ts';
import type { BookFrame } from './book-frame.ts';
import type { VenueCall, VenueRequest } from './call.ts';
import type { Stream } from './stream.ts';

/**
 * Reads one frame into a book message, without JSON, for the shapes that come most. False leaves the frame to the
 * decoder. It must accept nothing that the decoder would read otherwise.
 *
 * @param bytes the frame's text; the first `length` bytes count
 */
export type BookScan = (bytes: Uint8Array, length: number, into: BookFrame) => boolean;

/**
 * Recordings prove the rule that keeps streamed books right to different degrees. `session`: a run of
 * messages keeps it. `older session`: a run of a form that the venue has left or of other contracts does.
 * `pair`: one message follows another. `frames`: the form of single messages, not the rule. `none`: nothing.
 */
export type BookEvidence = 'session' | 'older session' | 'pair' | 'frames' | 'none';

/** Book messages over WebSocket: the stream's parameters, one topic a contract. */
export interface BookStream
  extends Omit<Stream, 'name' | 'topics' | 'topicsPerConnection' | 'maxConnections'> {
  /** Of the rule; the venue's page names the recordings. */
  readonly evidence: BookEvidence;
  /** Topic of a contract, which several may share; undefined where the venue has no stream of it. */
  readonly topicOf: (instrument: Instrument) => string | undefined;
  readonly topicsPerConnection: number;
  /** Connections that are used at most, within what the venue allows to one client. */
  readonly maxConnections: number;
  /** A fresh snapshot is requested by subscribing to the topic again (default), or by connecting again. */
  readonly renewal?: 'topic' | 'connection';
  /** Least time between two subscriptions to one topic, where the venue counts them, ms. */
  readonly renewGapMs?: number;
  /** A scanner of its own for each user; it remembers the names it has read. */
  readonly scanner?: () => BookScan;
  /** The number that counts every frame of a connection, where the venue numbers connections and not books. */
  readonly connectionSequence?: (payload: unknown) => number | undefined;
  /**
   * True if a frame answers a subscription, each topic being one. Set where such a frame has the number that
   * was next when the subscription arrived, and so comes behind higher ones.
   */
  readonly answersSubscription?: (payload: unknown) => boolean;
}

/** A request for a snapshot, with its decoder. */
export interface BookRequest {
  readonly request: (instrument: Instrument) => VenueRequest;
  /** Weight of one request. */
  readonly weight: number;
  /** Levels a side that an answer has at most; absent where it has all there are. */
  readonly levels?: number;
}

/** Snapshots over REST. */
export interface BookRest extends BookRequest {
  readonly call: VenueCall;
  /** Budget pool, `default` when absent. */
  readonly pool?: string;
  /** A cheaper, shallow snapshot for the rotation through contracts that are not streamed. */
  readonly shallow?: BookRequest;
  /** Part of the pool that books may use, 0..1; default 0.3. */
  readonly budgetShare?: number;
}

/**
 * The source of the initial snapshot of a streamed book. `stream`: it sends one first. `rest`: the stream
 * sends deltas only. `either`: the stream sends one, or, where it does not, REST does.
 */
export type InitialSnapshot = 'stream' | 'rest' | 'either';

/** The sources of a venue's books and the rule that keeps them right. */
export interface BookFeed {
  readonly stream?: BookStream;
  readonly rest?: BookRest;
  readonly initialSnapshot: InitialSnapshot;
  readonly continuity: Continuity;
  /**
   * Two rules exist for a crossed book. `wait`: a passing state, not served until the next message ends it.
   * `uncross`: the venue's own rule is to drop the older level at the touch.
   */
  readonly crossed?: 'wait' | 'uncross';
  /** One moment of the market comes as several messages, so the loss of the last of them shows with the next moment only. */
  readonly splitsMoments?: true;
  /**
   * A subscription begins after its snapshot was taken, and what changed between is sent to nobody: books are compared
   * with REST on a schedule although a lost message shows.
   */
  readonly joinsLate?: true;
}
