/** The parent's orders to a server under test. */
export type ServerOrder =
  | { readonly kind: 'start'; readonly role: 'off' | 'paid' }
  | {
      readonly kind: 'start';
      readonly role: 'bare';
      /** The only one that it answers. */
      readonly path: string;
      readonly status: number;
      /** Name, value, name, value. */
      readonly headers: readonly string[];
      /** Base64. */
      readonly body: string;
    }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };

export type ServerMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'begun' }
  | {
      readonly kind: 'measured';
      /** User and system time of the whole process, helper threads included. */
      readonly cpuSeconds: number;
      /** Time in which the event loop worked, and in which it waited. */
      readonly activeMs: number;
      readonly idleMs: number;
    };

/** The parent's orders to the load generator. */
export interface LoadOrder {
  readonly port: number;
  /** The whole request as it goes onto the wire. */
  readonly request: string;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export type LoadMessage =
  | { readonly kind: 'warm' }
  /** Responses completed between `warm` and the end, their status, and the bytes of the last one. */
  | { readonly kind: 'done'; readonly responses: number; readonly status: number; readonly bytes: number };
