import type { Module, ReadSettings } from '../../host/module.ts';
import { SETTINGS as CORE } from '../../host/settings/setting-table.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { valueFor } from '../../pay/config-networks.ts';
import type { OwnFacilitatorOpener } from '../../pay/own-facilitator.ts';
import { readTerms } from './terms.ts';

const SETTINGS = {
  gasPriceCap: {
    flag: 'gas-price-cap',
    env: 'GAS_PRICE_CAP_GWEI',
    type: 'text',
    fallback: '1',
    about: 'nothing is settled while gas is dearer, gwei; of other networks as ,eip155:137=… (mode self)',
  },
  confirmations: {
    flag: 'confirmations',
    env: 'CONFIRMATIONS',
    type: 'text',
    fallback: '1',
    about: 'blocks after which a settlement counts (mode self)',
  },
} as const satisfies SettingSpecs;

/** The terms on a network. */
function termsOf(settings: ReadSettings, network: string) {
  const { gasPriceCap, confirmations } = settings(SETTINGS);
  const cap = valueFor(gasPriceCap, network, true);
  return readTerms({ GAS_PRICE_CAP_GWEI: cap, CONFIRMATIONS: confirmations });
}

/** Everything that is wrong with the terms on the networks on which is sold. */
function faultsOf(settings: ReadSettings): readonly string[] {
  const networks = settings({ network: CORE.network }).network.split(',');
  return [...new Set(networks.flatMap((network) => termsOf(settings, network.trim()).errors))];
}

/** True in a process that sells and settles itself: elsewhere its settings are not looked at. */
function settles(settings: ReadSettings): boolean {
  const { payments, role } = settings({ payments: CORE.payments, role: CORE.role });
  return payments === 'self' && role.some((name) => name === 'all' || name === 'sell');
}

/** Settles payments in this process, through the operator's node and with the operator's key. */
export const selfSettle: Module = {
  id: 'self-settle',
  settings: [{ after: 'channelDelay', specs: SETTINGS }],
  check: (settings) => (settles(settings) ? faultsOf(settings) : []),
  seams: (settings) => {
    let opener: Promise<OwnFacilitatorOpener> | undefined;
    const facilitator: OwnFacilitatorOpener = async (config, calls) => {
      opener ??= import('./open-self.ts').then(({ selfFacilitator }) =>
        selfFacilitator((network) => termsOf(settings, network)),
      );
      return (await opener)(config, calls);
    };
    return { facilitator };
  },
};
