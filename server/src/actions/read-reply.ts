// Reads what an API answers, as far as a model can use it.
import { cleanText } from '@parley/schema/clean-text';
import { decodeBytes } from '../retrieval/extract/encodings/decode-bytes.ts';

export interface Reply {
  status: number;
  contentType: string;
  /** JSON without superfluous spaces, or text as it is; empty when it is neither. */
  text: string;
  /** Whether there was more than is read. */
  isCut: boolean;
  isText: boolean;
}

/** Reads at most `maxBytes` of the body. @throws Error when the connection breaks or the time is over */
export async function readReply(response: Response, maxBytes: number): Promise<Reply> {
  const { status } = response;
  const contentType = response.headers.get('content-type') ?? '';
  const isText =
    contentType === '' || /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson)\b)/i.test(contentType);
  if (!isText) {
    await response.body?.cancel().catch(() => {});
    return { status, contentType, text: '', isCut: false, isText };
  }
  const { bytes, isCut } = await readSome(response, maxBytes);
  const text = cleanText(decode(bytes, contentType));
  return { status, contentType, text: isCut ? text : compact(text, contentType), isCut, isText };
}

async function readSome(response: Response, maxBytes: number): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const room = maxBytes - size;
    chunks.push(chunk.subarray(0, room));
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

function decode(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return decodeBytes(bytes, charset);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function compact(text: string, contentType: string): string {
  if (!/json/i.test(contentType)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
