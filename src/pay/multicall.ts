import { isWire, readText } from '../domain/read.ts';
import { addressWord, behindHeads, bytesArgument, encodeArguments, selectorOf, uintWord } from './abi.ts';
import { quantityText, type Rpc, RpcError, readQuantity } from './rpc.ts';

/** The contract that asks several at once, at one address on all chains (https://www.multicall3.com). */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** A question to a contract. */
export interface ContractCall {
  readonly to: string;
  /** Selector and arguments in hex, with 0x. */
  readonly data: string;
}

/** Asks contracts at one moment of the chain; each answer in words. Rejects with RpcError, also where one of them has no code. */
export type Multicall = (calls: readonly ContractCall[]) => Promise<readonly (readonly bigint[])[]>;

/** Asks for the time of the block at which all are asked, Unix seconds. */
export const BLOCK_TIME: ContractCall = { to: MULTICALL3, data: selectorOf('getCurrentBlockTimestamp()') };

const TRY_AGGREGATE = selectorOf('tryAggregate(bool,(address,bytes)[])');
const WORD_DIGITS = 64;

/**
 * One request for all calls where the chain has Multicall3, else one for each.
 *
 * @param block the contracts are asked as they were with that block; undefined: as they are now
 */
export function createMulticall(rpc: Rpc, block?: number): Multicall {
  const tag = block === undefined ? 'latest' : quantityText(block);
  let hasContract: boolean | undefined;
  const ask = async ({ to, data }: ContractCall): Promise<string> =>
    readText(await rpc('eth_call', [{ to, data }, tag]))?.slice(2) ?? '';
  // The header knows it where the contract is missing.
  const askTime = async (): Promise<string> => {
    const header = await rpc('eth_getBlockByNumber', [tag, false]);
    const time = isWire(header) ? readQuantity(header.timestamp) : undefined;
    return time === undefined ? '' : uintWord(time);
  };
  const each = async (calls: readonly ContractCall[]) => {
    const answers: string[] = [];
    for (const call of calls) answers.push(await (call === BLOCK_TIME ? askTime() : ask(call)));
    return answers;
  };
  return async (calls) => {
    if (calls.length === 0) return [];
    const answer = hasContract === false ? '' : await ask({ to: MULTICALL3, data: aggregated(calls) });
    hasContract = answer !== '';
    const answers = hasContract ? answersIn(answer) : await each(calls);
    if (answers.length !== calls.length) throw new RpcError('eth_call: not the answers of all calls');
    return answers.map(wordsOf);
  };
}

/** The call that has to answer all of them, or none. */
function aggregated(calls: readonly ContractCall[]): string {
  const tuples = calls.map(({ to, data }) =>
    behindHeads(encodeArguments([addressWord(to), bytesArgument(data.slice(2))])),
  );
  const list = uintWord(BigInt(calls.length)) + encodeArguments(tuples);
  return TRY_AGGREGATE + encodeArguments([uintWord(1n), behindHeads(list)]);
}

/** The bytes in a list of (bool, bytes). */
function answersIn(hex: string): readonly string[] {
  const numberAt = (digit: number): number =>
    Number(BigInt(`0x${hex.slice(digit, digit + WORD_DIGITS) || '0'}`));
  const list = 2 * numberAt(0) + WORD_DIGITS;
  const answers: string[] = [];
  for (let i = 0; i < numberAt(list - WORD_DIGITS); i++) {
    const tuple = list + 2 * numberAt(list + i * WORD_DIGITS);
    const bytes = tuple + 2 * numberAt(tuple + WORD_DIGITS) + WORD_DIGITS;
    answers.push(hex.slice(bytes, bytes + 2 * numberAt(bytes - WORD_DIGITS)));
  }
  return answers;
}

function wordsOf(hex: string): readonly bigint[] {
  const words = hex.match(/[0-9a-f]{64}/gi) ?? [];
  if (words.length === 0) throw new RpcError('eth_call: no contract answers');
  return words.map((word) => BigInt(`0x${word}`));
}
