/** What a stream says as it stands, and when it last changed. */
export interface Live<Body> {
  readonly body: Body;
  readonly at: number;
  /** Whether the connection broke: it is made again, and goes on from where it was. */
  readonly isCut: boolean;
}

/** `off` where rows have to be asked for instead; undefined until there are any. */
export type Streamed<Body> = Live<Body> | 'off' | undefined;

/** The state of a stream after its connection broke (`isCut`) or came back. */
export function afterCut<Body>(live: Streamed<Body>, isCut: boolean): Streamed<Body> {
  if (live !== undefined && live !== 'off') return { ...live, isCut };
  return isCut ? 'off' : live;
}

/** The state after what is held was looked at in another way: it is as old as it was, and so is what is said of it. */
export function afterLook<Body>(live: Streamed<Body>, body: Body): Streamed<Body> {
  return live === undefined || live === 'off' ? live : { ...live, body };
}
