/** An answer of a spot call, written from the format that its venue documents. */
export interface SpotAnswer {
  readonly venue: string;
  readonly url: string;
  readonly payload: unknown;
}

/** Milliseconds of 2026-11-28T12:00:00Z. */
export const AT = 1_795_867_200_000;
