import type { BazaarExtension, ToolExtension } from './bazaar.ts';
import type { AcceptsEntry } from './requirement.ts';

/** Fields that resources of every kind have in the catalog. */
interface Listed {
  /** Base address and path template; of a tool the address of the MCP server. */
  readonly resource: string;
  readonly x402Version: 2;
  /** ISO 8601: when price, description, parameters or example last changed. */
  readonly lastUpdated: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
  readonly tags: readonly string[];
  readonly iconUrl: string;
}

/** A path that is sold, in the contract's shape. */
export interface HttpItem extends Listed {
  readonly type: 'http';
  /** Empty where nothing is charged. */
  readonly accepts: readonly AcceptsEntry[];
  readonly extensions: { readonly bazaar: BazaarExtension };
}

/** A tool of the MCP server; the contract knows none. */
export interface McpItem extends Listed {
  readonly type: 'mcp';
  /** One for each price of what the tool sells: it has as many ways to ask as products, so none says one. */
  readonly accepts: readonly Omit<AcceptsEntry, 'outputSchema'>[];
  readonly extensions: { readonly bazaar: ToolExtension };
}

export type CatalogItem = HttpItem | McpItem;
