/** A stream's present content, and the time of its last change. */
export interface Live<Body> {
  readonly body: Body;
  readonly at: number;
  /** True if the connection broke: it is made again, and goes on from where it was. */
  readonly isCut: boolean;
}

/** `off` where rows have to be asked for instead; undefined until there are any. */
export type Streamed<Body> = Live<Body> | 'off' | undefined;

/** The state of a stream after its connection broke (`isCut`) or came back. */
export function afterCut<Body>(live: Streamed<Body>, isCut: boolean): Streamed<Body> {
  if (live !== undefined && live !== 'off') return { ...live, isCut };
  return isCut ? 'off' : live;
}

/** The state after another look at the same content: its age stays. */
export function afterLook<Body>(live: Streamed<Body>, body: Body): Streamed<Body> {
  return live === undefined || live === 'off' ? live : { ...live, body };
}
