import { type Challenge, chainIdOf, type Requirement, sameAddress } from '../challenge.ts';
import type { Eip1193Provider } from '../eip1193-signer.ts';
import { chainOf } from './chain.ts';
import { type ChannelTerms, channelTermsOf, SCHEME_NAME } from './terms.ts';

/** An entry of a challenge that a channel can pay, and the seller's part of the channel's terms. */
export interface ChannelOffer {
  readonly entry: Requirement;
  readonly terms: ChannelTerms;
  /** False where the challenge does not name it: only a channel that is open pays it. */
  readonly isNamed: boolean;
}

/**
 * The channels that can pay in the place of each of these entries of `exact`, in their order. A header has no room for the channels
 * of many networks: where it names those of one, others are taken to be on the same terms.
 *
 * @param mostDelay seconds
 */
export function channelOffers(
  { others }: Pick<Challenge, 'others'>,
  exacts: readonly Requirement[],
  mostDelay: number,
): readonly ChannelOffer[] {
  const named = others.filter(({ scheme }) => scheme === SCHEME_NAME);
  return exacts.flatMap((exact) => {
    const own = named.find((entry) => isBeside(entry, exact));
    const entry = own ?? (named[0] && likeOf(named[0], exact));
    const terms = entry && channelTermsOf(entry, exact, mostDelay);
    return entry === undefined || terms === undefined ? [] : [{ entry, terms, isNamed: own !== undefined }];
  });
}

/** Of the offers that are named that on the chain of the wallet's node, by which a lost channel is found again; else the first. */
export async function offerOfNode<Offer extends ChannelOffer>(
  offers: readonly Offer[],
  chain: Eip1193Provider | undefined,
): Promise<Offer | undefined> {
  const named = offers.filter(({ isNamed }) => isNamed);
  const chainId = named.length > 1 && chain !== undefined ? await chainOf(chain) : undefined;
  return named.find(({ entry }) => chainIdOf(entry) === chainId) ?? named[0];
}

/** The entry by which the seller of a channel is asked for its rest; undefined where it offers no channels. */
export function entryFor(
  { accepts, others }: Challenge,
  { network, token }: { readonly network: string; readonly token: string },
): Requirement | undefined {
  const named = others.filter(({ scheme }) => scheme === SCHEME_NAME);
  const exact = accepts.find((entry) => entry.network === network && sameAddress(entry.asset, token));
  const own = named.find((entry) => entry.network === network);
  return own ?? (named[0] && exact && likeOf(named[0], exact));
}

const isBeside = (entry: Requirement, exact: Requirement): boolean =>
  entry.network === exact.network && sameAddress(entry.asset, exact.asset);

/** An entry as another network's, on the network of one of `exact`. */
function likeOf({ extra }: Requirement, exact: Requirement): Requirement {
  const { receiverAuthorizer, withdrawDelay } = extra;
  return { ...exact, scheme: SCHEME_NAME, extra: { ...exact.extra, receiverAuthorizer, withdrawDelay } };
}
