import type { HttpReply } from './types.ts';

/** An answer as bytes: length of its head, the head as JSON, the body. */
export function answerBytes({ status, headers, body }: HttpReply): Buffer {
  const head = Buffer.from(JSON.stringify({ status, headers }));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** An answer that `answerBytes` wrote. */
export function readAnswer(bytes: Buffer): HttpReply {
  const bodyAt = 4 + bytes.readUInt32BE();
  const head = JSON.parse(bytes.toString('utf8', 4, bodyAt)) as Omit<HttpReply, 'body'>;
  return { ...head, body: bytes.subarray(bodyAt) };
}
