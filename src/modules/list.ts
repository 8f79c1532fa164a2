import type { Module } from '../host/module.ts';
import { accounting } from './accounting/module.ts';
import { audit } from './audit/module.ts';
import { backfill } from './backfill/module.ts';
import { backup } from './backup/module.ts';
import { bundles } from './bundles/module.ts';
import { calendar } from './calendar/module.ts';
import { carryBacktest } from './carry-backtest/module.ts';
import { carryView } from './carry-view/module.ts';
import { cashCarry } from './cash-carry/module.ts';
import { ccxt } from './ccxt/module.ts';
import { channels } from './channels/module.ts';
import { cluster } from './cluster/module.ts';
import { contracts } from './contracts/module.ts';
import { corrections } from './corrections/module.ts';
import { decode } from './decode/module.ts';
import { demo } from './demo/module.ts';
import { doctor } from './doctor/module.ts';
import { events } from './events/module.ts';
import { fundingForecast } from './funding-forecast/module.ts';
import { identity } from './identity/module.ts';
import { ledgerCheck } from './ledger-check/module.ts';
import { mcp } from './mcp/module.ts';
import { openapi30 } from './openapi-3-0/module.ts';
import { operator } from './operator/module.ts';
import { paidStream } from './paid-stream/module.ts';
import { pairBacktest } from './pair-backtest/module.ts';
import { receipts } from './receipts/module.ts';
import { recorder } from './recorder/module.ts';
import { secondReader } from './second-reader/module.ts';
import { selfSettle } from './self-settle/module.ts';
import { sharedLedger } from './shared-ledger/module.ts';
import { spot } from './spot/module.ts';
import { spotHistoryModule } from './spot-history/module.ts';
import { spotMarket } from './spot-market/module.ts';
import { stream } from './stream/module.ts';
import { tables } from './tables/module.ts';
import { udf } from './udf/module.ts';
import { watch } from './watch/module.ts';
import { watchConditions } from './watch-conditions/module.ts';
import { watchRules } from './watch-rules/module.ts';
import { watchView } from './watch-view/module.ts';
import { watchWallet } from './watch-wallet/module.ts';
import { webhook } from './webhook/module.ts';

/**
 * Every module of the service, in the order in which they open. They end in the reverse: streams before the port that they go
 * out of. To leave one out, its line and its folder are removed.
 */
export const MODULES: readonly Module[] = [
  audit,
  ccxt,
  demo,
  decode,
  ledgerCheck,
  identity,
  tables,
  sharedLedger,
  cluster,
  receipts,
  selfSettle,
  mcp,
  doctor,
  corrections,
  backup,
  backfill,
  recorder,
  secondReader,
  operator,
  accounting,
  pairBacktest,
  contracts,
  fundingForecast,
  calendar,
  events,
  spot,
  spotMarket,
  cashCarry,
  spotHistoryModule,
  carryBacktest,
  carryView,
  bundles,
  webhook,
  watchConditions,
  watch,
  watchRules,
  watchView,
  watchWallet,
  stream,
  paidStream,
  channels,
  openapi30,
  udf,
];
