// The pieces of an answer as chat completions tell them, of which every protocol is made.
import { parseJson } from '@parley/schema/json';
import type { FinishReason, Signature } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';

/** What all chunks of an answer say. */
export interface AnswerHead {
  id: string;
  /** As the request named it. */
  model: string;
  /** Seconds since the epoch. */
  created: number;
}

export interface CallPiece {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
  extra_content?: unknown;
}

/** `url` is `data:`. */
export interface PicturePiece {
  type: 'image_url';
  image_url: { url: string };
}

export interface AnswerPiece {
  content?: string;
  reasoning_content?: string;
  tool_calls?: CallPiece[];
  /** As OpenRouter names them. */
  images?: PicturePiece[];
  /** What the provider signed with the reasoning before. */
  signature?: Signature;
}

export type AnswerFinish = 'stop' | 'length' | 'content_filter' | 'tool_calls';

export interface PieceReader {
  /** Null for a delta that says nothing. */
  read(delta: Delta): AnswerPiece | null;
  finish(): AnswerFinish | null;
}

interface KnownCall {
  id: string;
  index: number;
  name: string;
  input: string;
}

/** Reads the deltas of one answer. */
export function createPieceReader(): PieceReader {
  const calls = new Map<string, KnownCall>();
  let text = '';
  let finish: FinishReason | null = null;
  return {
    read(delta) {
      switch (delta.type) {
        case 'text':
          text += delta.text;
          return { content: delta.text };
        case 'rewrite':
          return rewritten(delta.text);
        case 'reasoning':
          return { reasoning_content: delta.text };
        case 'picture': {
          const { mime, data } = delta.picture;
          return { images: [{ type: 'image_url', image_url: { url: `data:${mime};base64,${data}` } }] };
        }
        case 'tool':
          // A call that its provider has carried out is none of the client's.
          return delta.call.output === null ? begun(delta.call) : null;
        case 'input':
          return extended(delta.id, delta.text);
        case 'signature':
          return signed(delta);
        case 'finish':
          finish = delta.reason;
          return null;
        default:
          return null;
      }
    },
    finish: () => (finish === null ? null : finishOf(finish, calls.size)),
  };

  /** What was sent stays; only more of it can follow. */
  function rewritten(whole: string): AnswerPiece | null {
    const more = whole.startsWith(text) ? whole.slice(text.length) : '';
    text += more;
    return more === '' ? null : { content: more };
  }

  function begun({ id, name, input }: { id: string; name: string; input: string }): AnswerPiece | null {
    const known = calls.get(id);
    if (!known) {
      const call = { id, index: calls.size, name, input };
      calls.set(id, call);
      return name === '' ? null : { tool_calls: [pieceOf(call)] };
    }
    const wasNamed = known.name !== '';
    const more = input.startsWith(known.input) ? input.slice(known.input.length) : '';
    Object.assign(known, { name, input: known.input + more });
    if (!wasNamed && name !== '') return { tool_calls: [pieceOf(known)] };
    return more === '' ? null : { tool_calls: [{ index: known.index, function: { arguments: more } }] };
  }

  function extended(id: string, more: string): AnswerPiece | null {
    const call = calls.get(id);
    if (!call) return null;
    call.input += more;
    return call.name === '' ? null : { tool_calls: [{ index: call.index, function: { arguments: more } }] };
  }

  /** Providers with this protocol want back what they signed with a call, under its own name, which Gemini's has here, too. */
  function signed({ id, signature }: Extract<Delta, { type: 'signature' }>): AnswerPiece | null {
    if (id === undefined) return { signature };
    const call = calls.get(id);
    const isGoogles = signature.endpointType === 'google';
    const extra = isGoogles ? { google: { thought_signature: signature.data } } : parseJson(signature.data);
    return call && extra
      ? { tool_calls: [{ index: call.index, function: { arguments: '' }, extra_content: extra }] }
      : null;
  }
}

function pieceOf({ id, index, name, input }: KnownCall): CallPiece {
  return { index, id, type: 'function', function: { name, arguments: input } };
}

function finishOf(finish: FinishReason, calls: number) {
  if (calls > 0 && finish !== 'length') return 'tool_calls' as const;
  return finish === 'incomplete' ? ('length' as const) : finish;
}
