/** The used part of a WebSocket (https://websockets.spec.whatwg.org). */
export interface Socket {
  addEventListener(
    type: 'message' | 'close' | 'error',
    listener: (event: { readonly data?: unknown }) => void,
  ): void;
  close(): void;
}
export type SocketMaker = new (url: string, protocols: string[]) => Socket;
