import type { PaymentRecord } from '../../src/pay/record.ts';
import type { StoredChannel } from '../../src/pay/schemes/batch-settlement/channels.ts';
import type { BoughtChannel } from './channel-buyer.ts';

/** Charged by all channels, and claimed of them, atomic units. */
export function sums(rows: readonly StoredChannel[]): { readonly charged: bigint; readonly claimed: bigint } {
  let charged = 0n;
  let claimed = 0n;
  for (const { channel } of rows) {
    charged += BigInt(channel.charged);
    claimed += BigInt(channel.chain.claimed);
  }
  return { charged, claimed };
}

/** Channels that were not charged what was sold by them, or of which not all is claimed. */
export function rowFaults(rows: readonly StoredChannel[], paid: readonly PaymentRecord[]): readonly string[] {
  const sold = new Map<string, bigint>();
  for (const { nonce, amount } of paid) {
    const id = nonce.split(':', 1)[0] ?? '';
    sold.set(id, (sold.get(id) ?? 0n) + BigInt(amount));
  }
  return rows.flatMap(({ id, channel: { charged, chain } }) => {
    const sum = sold.get(id) ?? 0n;
    return [
      ...(BigInt(charged) === sum ? [] : [`${id}: charged ${charged}, sold ${sum}`]),
      ...(chain.claimed === charged
        ? []
        : [`${id}: charged ${charged}, on the chain ${JSON.stringify(chain)}`]),
    ];
  });
}

/** Targets that were sold, by channel and total. */
function requestsOf(paid: readonly PaymentRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const requests = new Map<string, Set<string>>();
  for (const { nonce, resource } of paid) {
    const [id, total] = nonce.split(':');
    const name = `${id}:${total}`;
    requests.set(name, (requests.get(name) ?? new Set()).add(resource));
  }
  return requests;
}

/**
 * Sales without an answer. A buyer whose connection broke, as by a kill, does not always come again for it; one that was given
 * an outcome each time, and never the answer, is a fault.
 */
export function unserved(
  bought: readonly BoughtChannel[],
  paid: readonly PaymentRecord[],
): { readonly lost: number; readonly faults: readonly string[] } {
  const channels = new Map(bought.map((channel) => [channel.id, channel]));
  const faults: string[] = [];
  let lost = 0;
  for (const [name, targets] of requestsOf(paid)) {
    const [id = '', total] = name.split(':');
    const channel = channels.get(id);
    for (const target of targets) {
      const key = `${total} ${target}`;
      if (channel?.got.has(key) === true) continue;
      if (channel?.open.has(key) === true) lost++;
      else faults.push(`${id}: ${key} was sold, and its buyer got another outcome`);
    }
  }
  return { lost, faults };
}

/** Answers that were not sold, and payments with two of them. */
export function answerFaults(
  bought: readonly BoughtChannel[],
  paid: readonly PaymentRecord[],
): readonly string[] {
  const requests = requestsOf(paid);
  return bought.flatMap(({ id, got }) =>
    [...got].flatMap(([key, answers]) => {
      const [total, target = ''] = key.split(' ');
      const isSold = requests.get(`${id}:${total}`)?.has(target) === true;
      return [
        ...(isSold ? [] : [`${id}: ${key} was served and is not sold`]),
        ...(answers.size === 1 ? [] : [`${id}: ${key} had ${answers.size} answers`]),
      ];
    }),
  );
}
