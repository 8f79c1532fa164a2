/** The fault of an address that names what is not there; its reader answers 400 with it. */
export class BadQuery {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}
