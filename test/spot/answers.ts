import type { SpotAnswer } from './answers/answer.ts';
import { asterAnswers } from './answers/aster.ts';
import { backpackAnswers } from './answers/backpack.ts';
import { binanceAnswers } from './answers/binance.ts';
import { bingxAnswers } from './answers/bingx.ts';
import { bitgetAnswers } from './answers/bitget.ts';
import { bybitAnswers } from './answers/bybit.ts';
import { candleAnswers } from './answers/candles.ts';
import { cryptocomAnswers } from './answers/cryptocom.ts';
import { furtherAnswers } from './answers/further.ts';
import { gateAnswers } from './answers/gate.ts';
import { htxAnswers } from './answers/htx.ts';
import { hyperliquidAnswers } from './answers/hyperliquid.ts';
import { krakenAnswers } from './answers/kraken.ts';
import { kucoinAnswers } from './answers/kucoin.ts';
import { lighterAnswers } from './answers/lighter.ts';
import { mexcAnswers } from './answers/mexc.ts';
import { okxAnswers } from './answers/okx.ts';
import { whitebitAnswers } from './answers/whitebit.ts';

/** Answers of every spot venue. */
export const ANSWERS: readonly SpotAnswer[] = [
  ...binanceAnswers,
  ...asterAnswers,
  ...bybitAnswers,
  ...okxAnswers,
  ...bitgetAnswers,
  ...gateAnswers,
  ...kucoinAnswers,
  ...mexcAnswers,
  ...htxAnswers,
  ...bingxAnswers,
  ...krakenAnswers,
  ...cryptocomAnswers,
  ...whitebitAnswers,
  ...backpackAnswers,
  ...hyperliquidAnswers,
  ...lighterAnswers,
  ...candleAnswers,
  ...furtherAnswers,
];
