import { FieldReader, type PaymentEnvironment } from '../../pay/config-fields.ts';

/** The conditions under which this process settles. */
export interface SelfTerms {
  /** Nothing is settled while gas is dearer, wei per unit. */
  readonly maxFeePerGas: bigint;
  /** Blocks after which a settlement counts. */
  readonly confirmations: number;
}

/** The terms, and everything that is wrong with them. */
export function readTerms(env: PaymentEnvironment): SelfTerms & { readonly errors: readonly string[] } {
  const fields = new FieldReader(env);
  const maxFeePerGas = fields.decimal('GAS_PRICE_CAP_GWEI', '1', 9);
  const confirmations = fields.integer('CONFIRMATIONS', 1, 1, 64);
  return { maxFeePerGas, confirmations, errors: fields.errors };
}
