/** A schema as plain JSON, without what only the validator needs. */
export const plain = (schema: unknown): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(schema)) as Readonly<Record<string, unknown>>;
