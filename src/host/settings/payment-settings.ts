import { join } from 'node:path';
import { type ParsedPaymentConfig, parsePaymentConfig } from '../../pay/config.ts';
import type { Settings } from './settings.ts';

/** The payment configuration of these settings, where nothing is sold one without money; all its faults at once, each under its variable's name. */
export function paymentConfigOf(settings: Settings, port: number, sells: boolean): ParsedPaymentConfig {
  const { host } = settings;
  return parsePaymentConfig(
    {
      PAYMENTS_MODE: sells ? settings.payments : 'off',
      PAY_TO_ADDRESS: settings.payTo,
      ASSET_CONTRACT_ADDRESS: settings.asset,
      ASSET_NAME: settings.assetName,
      ASSET_VERSION: settings.assetVersion,
      PAYMENT_NETWORK: settings.network,
      SERVICE_NAME: settings.serviceName,
      BASE_URL: settings.baseUrl,
      FACILITATOR_URL: settings.facilitatorUrl,
      FACILITATOR_FEE_USD: settings.facilitatorFee,
      COIN_PRICES_USD: settings.coinPrices,
      FACILITATOR_VERIFY_TIMEOUT_MS: settings.verifyTimeout,
      FACILITATOR_SETTLE_TIMEOUT_MS: settings.settleTimeout,
      FACILITATOR_TOKEN: settings.facilitatorToken,
      CDP_API_KEY_ID: settings.cdpKeyId,
      CDP_API_KEY_SECRET: settings.cdpKeySecret,
      RPC_URL: settings.rpcUrl,
      FACILITATOR_PRIVATE_KEY: settings.facilitatorKey,
      CHANNEL_AUTHORIZER_KEY: settings.channelKey,
      CHANNEL_WITHDRAW_DELAY_SECONDS: settings.channelDelay,
      CHANNEL_DEPOSIT_CALLS: settings.channelDepositCalls,
      LEDGER_PATH: join(settings.dataDir, 'ledger'),
    },
    // Without paid routes there is nothing that an open address would give away.
    sells ? host : '127.0.0.1',
    `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
  );
}
