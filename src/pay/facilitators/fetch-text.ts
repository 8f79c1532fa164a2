import type { Dispatcher } from 'undici';

export interface ResponseLimits {
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** More is not read. */
  readonly maxBytes: number;
}

export interface TextResponse {
  readonly status: number;
  /** Undefined where it is longer than may be read. */
  readonly text: string | undefined;
}

/**
 * One request and its whole answer, handed over by the dispatcher itself: a short answer costs half of what `request` and its stream take
 * (`npm run bench pay`). Rejects with undici's errors, and with a TimeoutError.
 */
export function fetchText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBytes }: ResponseLimits,
): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let size = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    /** Nothing more is waited for, wherever the request is. */
    const cut = (why: Error): void => {
      ended = why;
      controller?.abort(why);
    };
    const timer = setTimeout(() => {
      const late = new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError');
      cut(late);
      reject(late);
    }, timeoutMs).unref();
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(begun) {
        controller = begun;
        // It waited for a connection until its time was over.
        if (ended !== undefined) begun.abort(ended);
      },
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else {
          resolve({ status, text: undefined });
          cut(new Error('the answer is too large'));
        }
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_controller, cause) {
        clearTimeout(timer);
        reject(cause);
      },
    };
    dispatcher.dispatch(request, handler);
  });
}
