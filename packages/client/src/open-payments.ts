/** A payment whose outcome is not known, as anybody can present it again. */
export interface OpenPayment {
  /** Headers for a GET of its path; anyone who has them gets the paid answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Until then it may be taken, and not later; undefined for a voucher, which its channel alone ends. */
  readonly validBefore: Date | undefined;
}

/** Payments whose outcome is not known, by address: equal calls at once may each leave one. */
export class OpenPayments<P> {
  readonly #byAddress = new Map<string, readonly P[]>();

  /** The one that the next call for the address presents. */
  first(address: string): P | undefined {
    return this.#byAddress.get(address)?.[0];
  }

  /** Adds it where it is not there already. */
  add(address: string, payment: P): void {
    const others = this.#byAddress.get(address) ?? [];
    if (!others.includes(payment)) this.#byAddress.set(address, [...others, payment]);
  }

  /** @returns false where another call has it, or nobody left it */
  take(address: string, payment: P): boolean {
    const all = this.#byAddress.get(address) ?? [];
    const others = all.filter((other) => other !== payment);
    if (others.length > 0) this.#byAddress.set(address, others);
    else this.#byAddress.delete(address);
    return others.length < all.length;
  }
}
