import Type from 'typebox';

/** How many rows a scan returns at most. */
export const scanLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most opportunities to return' }),
);
