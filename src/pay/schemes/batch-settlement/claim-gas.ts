/** Channels of one transaction: hosted facilitators take up to 25. */
export const MOST_CLAIMED = 25;

/** Every transaction pays this (Ethereum yellow paper, G_transaction). */
const TRANSACTION = 21_000;
/**
 * Execution, as the authors of the contract publish it: 40,252 for a claim of one voucher, 192,043 for one of ten channels
 * (`scheme_batch_settlement_evm` of x402).
 */
const FIRST_CHANNEL = 40_252;
const FURTHER_CHANNEL = Math.ceil((192_043 - FIRST_CHANNEL) / 9);
/** Slots that a transaction reads first, two of a channel: the published figures have them read before (EIP-2929). */
const COLD_SLOTS = 2 * 2_100;
/** A receiver's first claim writes a slot that was zero (EIP-2929). */
const NEW_SLOT = 22_100;
/** Gas of a byte of calldata (EIP-2028). */
const ZERO_BYTE = 4;
const OTHER_BYTE = 16;
/**
 * Bytes of a channel's row of fifteen words that may be something else than zero: five addresses, delay, salt, two amounts of up
 * to eight bytes, two offsets, the signature and its length.
 */
const ROW_BYTES = 15 * 32;
const ROW_OTHER = 5 * 20 + 3 + 32 + 2 * 8 + 2 * 2 + 65 + 1;
/** Selector, two offsets, the number of rows, and the authorizer's signature of three words with its length. */
const HEAD_BYTES = 4 + 7 * 32;
const HEAD_OTHER = 4 + 1 + 2 + 1 + 65 + 1;

const calldataGas = (bytes: number, other: number): number =>
  other * OTHER_BYTE + (bytes - other) * ZERO_BYTE;

/**
 * The most gas that a claim of so many channels takes: execution, calldata and the transaction itself. It is held against a chain
 * of this machine by `test/pay/channels/claim-gas.test.ts`.
 */
export function claimGas(channels: number): number {
  const execution = NEW_SLOT + FIRST_CHANNEL + (channels - 1) * FURTHER_CHANNEL + channels * COLD_SLOTS;
  const calldata = calldataGas(HEAD_BYTES, HEAD_OTHER) + channels * calldataGas(ROW_BYTES, ROW_OTHER);
  return TRANSACTION + execution + calldata;
}
