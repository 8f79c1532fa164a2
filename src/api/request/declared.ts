import type { ParameterSpec } from '../../pay/types.ts';

/** A declared parameter and what is needed to read it from text. */
export interface Declared extends ParameterSpec {
  readonly default?: unknown;
  /** True where the text is a list with commas. */
  readonly isList?: true;
  /** Regular expression that a text must match; undefined where any text is read. */
  readonly pattern?: string;
  readonly minLength: number;
  readonly maxLength: number;
}
