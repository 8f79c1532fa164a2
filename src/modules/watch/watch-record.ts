import type { Condition } from '../watch-conditions/condition.ts';
import type { WatchedValues } from '../webhook/firing.ts';
import type { Mark } from './judge.ts';
import type { Progress } from './watch-state.ts';

/** A watch as it is stored. Times in Unix ms. */
export interface WatchRecord {
  readonly id: string;
  /** SHA-256 of its secret, base64url; undefined of an operator's rule, which is read on the operator's port alone. */
  readonly secretHash: string | undefined;
  /** Address of who paid for it, lower case; undefined where nobody did. */
  readonly payer: string | undefined;
  /** Name of the operator's rule; undefined of one that was sold. */
  readonly rule: string | undefined;
  /** Of a rule for a chat service: the field of its message that takes the words. */
  readonly format: 'text' | 'content' | undefined;
  readonly condition: Condition;
  readonly beganAt: number;
  readonly endsAt: number;
  /** Keys of the sales that it was bought and renewed by: none counts twice. */
  readonly sales: readonly string[];
  readonly progress: Progress;
  /** Firings before it was renewed after the last that was bought: it has as many again; undefined = 0. */
  readonly firedBefore?: number;
  readonly mark: Mark;
  /** Values of the last look; empty where nothing is known. */
  readonly values: WatchedValues;
  readonly rowsAt: number | undefined;
  /** When it was last looked at, as far as that was stored. */
  readonly seenAt: number;
  /** When it ended, and why; undefined while it is held. */
  readonly endedAt: number | undefined;
  readonly endReason: string | undefined;
  /** Its signed statement, once it has ended. */
  readonly statement: string | undefined;
}
