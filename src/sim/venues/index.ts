import type { SimVenue } from '../venue.ts';
import { simApex } from './apex.ts';
import { simBitget } from './bitget.ts';
import { simDerive } from './derive.ts';
import { simExtended } from './extended.ts';
import { simGate } from './gate.ts';
import { simGrvt } from './grvt.ts';
import { simKucoin } from './kucoin.ts';
import { simMexc } from './mexc.ts';
import { simOrderly } from './orderly.ts';
import { simPacifica } from './pacifica.ts';

/** Every simulated venue, one line each. */
export const SIM_VENUES: readonly SimVenue[] = [
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
];
