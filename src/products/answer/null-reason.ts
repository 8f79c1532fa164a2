import Type from 'typebox';

/** Reasons for which a value of an answer is null: one word each, the same in all answers. */
export const NULL_REASONS = {
  not_followed: 'no fresh order book of the contract is known',
  too_thin: 'what is visible within 100 bps of the mid does not fill the size',
  beyond_borrow_limit: 'less of the coin can be borrowed than the size is',
  continuous_funding: 'funding accrues every moment, so there is no next settlement',
  interval_unknown: 'the venue does not state its funding interval at the moment',
  rate_unknown: 'quote currencies differ, and no venue’s prices tell a rate between them',
  not_published: 'the venue does not publish it',
  not_received: 'it has not been received yet',
  not_lent: 'the venue does not lend the coin, or lends none of it now',
  stale: 'what is known is too old to be shown',
  out_of_range: 'the figure of the venue is so far from what is possible that its unit is in doubt',
  not_stated: 'the list of contracts that is read does not state it',
  none_announced: 'the venue has announced none',
  not_stored_then: 'it was not stored at that moment',
  price_differs: 'the prices of both sides are too far apart to be of one asset',
  still_listed: 'the contract is listed still',
  passed: 'the last stated settlement has passed and the next is not named',
  past_too_short: 'the payments that are stored cover too little of the time',
  one_sided: 'a side of the book is empty',
  crossed: 'the bids and asks of the book cross',
  not_reverting: 'deviations from the mean have not shrunk, or too few settlements are known',
  not_positive: 'the spread, or what would be earned, is not above zero',
  no_precedent: 'the spread has not been as wide before, or not long enough ago',
  unknown: 'not stated at the moment, or too old to be shown',
} as const;

export type NullReason = keyof typeof NULL_REASONS;

/** Reasons for which values of a row are null; absent where none is. */
export const nullReasons = {
  null_reasons: Type.Optional(
    Type.Unsafe<Readonly<Record<string, NullReason>>>({
      type: 'object',
      additionalProperties: { type: 'string', enum: Object.keys(NULL_REASONS) },
      description: `Fields that are null, with the reason. ${Object.entries(NULL_REASONS)
        .map(([word, meaning]) => `${word}: ${meaning}`)
        .join('; ')}`,
    }),
  ),
};

interface WithReasons {
  null_reasons?: Readonly<Record<string, NullReason>>;
}

/**
 * The record with a reason for every field of it that is null: the one given for the field, else `unknown`.
 *
 * @param why reasons by field; those of fields that have a value do not count
 */
export function withReasons<Row extends object>(
  row: Row,
  why: Readonly<Partial<Record<keyof Row, NullReason>>>,
): Row & WithReasons {
  let reasons: Record<string, NullReason> | undefined;
  for (const name in row) {
    if (row[name] !== null) continue;
    reasons ??= {};
    reasons[name] = why[name] ?? 'unknown';
  }
  return reasons === undefined ? row : { ...row, null_reasons: reasons };
}
