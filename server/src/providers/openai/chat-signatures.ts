// What some providers want back with the calls of a step, by OpenAI's protocol: DeepSeek the reasoning itself
// (`reasoning_content`), OpenRouter a list that may be signed or encrypted (`reasoning_details`).
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { isObject, listIn } from '@parley/schema/json';
import { objectsIn } from '../finished-calls.ts';
import type { Delta } from '../../generation/delta.ts';

interface EncryptedReasoning {
  reasoning_content?: string;
  reasoning_details?: Detail[];
}

type Detail = Record<string, unknown>;

export interface LooseReasoning {
  reasoning_content?: unknown;
  reasoning_details?: unknown;
}

/** Collects them over an answer. */
export function createSignatureReader(by: { endpointType: EndpointType; model: string }) {
  let content = '';
  let details: Detail[] = [];
  return { read, take };

  function read({ reasoning_content: text, reasoning_details: pieces }: LooseReasoning): void {
    if (typeof text === 'string') content += text;
    for (const piece of listIn(pieces)) if (isObject(piece)) join(piece);
  }

  /** What has come since the last time, if anything. */
  function* take(): Generator<Delta> {
    const encrypted: EncryptedReasoning = {
      ...(content !== '' && { reasoning_content: content }),
      ...(details.length > 0 && { reasoning_details: details }),
    };
    if (Object.keys(encrypted).length === 0) return;
    content = '';
    details = [];
    yield { type: 'signature', signature: { ...by, data: JSON.stringify(encrypted) } };
  }

  /** A text arrives in pieces with the same index; its signature comes with one of them. */
  function join(piece: Detail): void {
    const last = details.at(-1);
    const isMore = last && last.type === piece.type && last.index === piece.index && !('data' in piece);
    if (!isMore) return void details.push({ ...piece });
    for (const [name, value] of Object.entries(piece)) {
      const isText = (name === 'text' || name === 'summary') && typeof value === 'string';
      if (isText) last[name] = `${typeof last[name] === 'string' ? last[name] : ''}${value}`;
      else if (value !== null) last[name] = value;
    }
  }
}

/** The fields of an assistant's message that hold them. */
export function signatureFields(signatures: readonly string[]): EncryptedReasoning {
  const encrypted: LooseReasoning[] = signatures.flatMap(objectsIn);
  const content = encrypted.map(({ reasoning_content: text }) => (typeof text === 'string' ? text : '')).join('');
  const details = encrypted.flatMap(({ reasoning_details: list }) => listIn(list).filter(isObject));
  return {
    ...(content !== '' && { reasoning_content: content }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}
