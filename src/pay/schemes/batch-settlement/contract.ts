/**
 * The contract of channels and what it fixes, as published: the same addresses on every network
 * (specs/schemes/batch-settlement/scheme_batch_settlement_evm.md of x402, `@x402/evm` 2.27).
 */
export const SETTLEMENT_CONTRACT = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003';
/** Collects deposits that are signed as EIP-3009 authorizations. */
export const DEPOSIT_COLLECTOR = '0x4020806089470a89826cB9fB1f4059150b550004';

export const CONTRACT_NAME = 'x402 Batch Settlement';
export const CONTRACT_VERSION = '1';

/** Seconds between a buyer's request to withdraw and the withdrawal: fifteen minutes to thirty days. */
export const WITHDRAW_DELAY = { least: 900, most: 2_592_000 } as const;

/** The address of nobody: as a signer of vouchers it means that the payer itself is asked, which may be a contract. */
export const NOBODY = `0x${'0'.repeat(40)}`;
