import { withSpot } from '../spot/with-spot.ts';
import type { SimVenue } from '../venue.ts';
import { simApex } from './apex.ts';
import { simAster } from './aster.ts';
import { simBackpack } from './backpack.ts';
import { simBinance } from './binance.ts';
import { simBingx } from './bingx.ts';
import { simBitget } from './bitget.ts';
import { simBybit } from './bybit.ts';
import { simCryptocom } from './cryptocom.ts';
import { simDeribit } from './deribit.ts';
import { simDerive } from './derive.ts';
import { simDydx } from './dydx.ts';
import { simEdgex } from './edgex.ts';
import { simExtended } from './extended.ts';
import { simGate } from './gate.ts';
import { simGrvt } from './grvt.ts';
import { simHibachi } from './hibachi.ts';
import { simHtx } from './htx.ts';
import { simHyperliquid } from './hyperliquid.ts';
import { simKraken } from './kraken.ts';
import { simKucoin } from './kucoin.ts';
import { simLighter } from './lighter.ts';
import { simMexc } from './mexc.ts';
import { simNado } from './nado.ts';
import { simOkx } from './okx.ts';
import { simOrderly } from './orderly.ts';
import { simPacifica } from './pacifica.ts';
import { simParadex } from './paradex.ts';
import { simPhemex } from './phemex.ts';
import { simWhitebit } from './whitebit.ts';

/** Every simulated venue, one line each. */
const PERPETUALS: readonly SimVenue[] = [
  simBinance,
  simBybit,
  simOkx,
  simPhemex,
  simWhitebit,
  simCryptocom,
  simBackpack,
  simAster,
  ...simHyperliquid,
  simLighter,
  simDydx,
  simParadex,
  simOrderly,
  simPacifica,
  simDerive,
  simExtended,
  simGrvt,
  simApex,
  simBitget,
  simGate,
  simKucoin,
  simMexc,
  simHtx,
  simBingx,
  simKraken,
  simDeribit,
  simNado,
  simEdgex,
  simHibachi,
];

/** The same with the spot sides of those that have one. */
export const SIM_VENUES: readonly SimVenue[] = PERPETUALS.map(withSpot);
