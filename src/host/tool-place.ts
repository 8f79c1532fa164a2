/** Defaults that a tool has instead of those of its routes. */
export type Presets = Readonly<Record<string, number>>;

/** A description of a tool in the words that an agent chooses by. */
export interface ToolWords {
  readonly name: string;
  readonly about: string;
  /** Units and signs that the fields' names do not say; empty: they say all. */
  readonly units: string;
  readonly use: string;
  /** Tasks of other tools, each with the name of that tool. */
  readonly not?: string;
  /** Defaults of its own, of parameters whose defaults are meant for programs. */
  readonly presets?: Presets;
  /** A sentence about what may surprise in its answers, such as one that is charged though it is empty. */
  readonly besides?: string;
}

/** Joins a tool that is there. */
interface JoinedTool {
  readonly name: string;
  /** True where it stands before the products that are there: the first one is the tool's example in the catalog. */
  readonly leads?: boolean;
  /** The subject that the tool states, now that the product is in it; default what it said before. */
  readonly about?: string;
}

/** The tool in which agents find a product: one that is there, or one of its own. */
export type ToolPlace = JoinedTool | ToolWords;
