import type { Wire } from '../../src/domain/read.ts';
import type { ListedTool } from './shop.ts';

/** A call that a model asks for. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly args: Wire;
}

/** A turn of a model: what it says, what it asks for, and the turn as it is sent back to it. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly message: Wire;
}

/** A result of a call, for the model. */
export interface CallResult {
  readonly call: ModelCall;
  readonly text: string;
  readonly isError: boolean;
}

/** The content of one request to a model. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Wire[];
  readonly tools: readonly ListedTool[];
}

/** The form in which an interface of models takes a conversation. */
export interface Dialect {
  readonly path: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly body: (prompt: Prompt) => Wire;
  /** Reads a turn; undefined where it is none. */
  readonly turn: (reply: Wire) => ModelTurn | undefined;
  readonly results: (results: readonly CallResult[]) => readonly Wire[];
}
