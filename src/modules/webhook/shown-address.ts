/** The host of a receiver's address: all of it that others than its owner may see, since the rest lets anybody post there. */
export const shownAddress = (webhook: string): string => new URL(webhook).host;

/** A condition as others than its owner may see it. */
export const shownCondition = <Condition extends { readonly webhook?: unknown }>(
  condition: Condition,
): Condition =>
  typeof condition.webhook === 'string'
    ? { ...condition, webhook: shownAddress(condition.webhook) }
    : condition;
