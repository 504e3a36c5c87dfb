// An answer in OpenAI's shapes: chunks while it is written, or one object when it is whole.
import type { Usage } from '@parley/schema/catalog/usage';
import type { FinishReason } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';

/** What all chunks of an answer say. */
export interface AnswerHead {
  id: string;
  /** As the request named it. */
  model: string;
  /** Seconds since the epoch. */
  created: number;
}

interface CallPiece {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
  extra_content?: unknown;
}

export interface AnswerPiece {
  content?: string;
  reasoning_content?: string;
  tool_calls?: CallPiece[];
}

export interface PieceReader {
  /** Null for a delta that says nothing. */
  read(delta: Delta): AnswerPiece | null;
  finish(): 'stop' | 'length' | 'content_filter' | 'tool_calls' | null;
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

  /** Providers with this protocol want back what they signed with a call, under its own name. */
  function signed({ id, signature }: Extract<Delta, { type: 'signature' }>): AnswerPiece | null {
    const call = id === undefined ? undefined : calls.get(id);
    const extra = call && objectIn(signature.data);
    return extra ? { tool_calls: [{ index: call.index, function: { arguments: '' }, extra_content: extra }] } : null;
  }
}

function pieceOf({ id, index, name, input }: KnownCall): CallPiece {
  return { index, id, type: 'function', function: { name, arguments: input } };
}

function objectIn(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function finishOf(finish: FinishReason, calls: number) {
  if (calls > 0 && finish !== 'length') return 'tool_calls' as const;
  return finish === 'incomplete' ? ('length' as const) : finish;
}

export function chatChunk(
  head: AnswerHead,
  delta: AnswerPiece & { role?: 'assistant' },
  finish: string | null = null,
): object {
  const { id, model, created } = head;
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

export function usageChunk({ id, model, created }: AnswerHead, usage: Usage): object {
  return { id, object: 'chat.completion.chunk', created, model, choices: [], usage: openaiUsage(usage) };
}

/** `cache_write_tokens` is the name of OpenRouter, which others follow. */
function openaiUsage({ input, output, cachedRead = 0, cachedWrite = 0, reasoning = 0 }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedRead, ...(cachedWrite > 0 && { cache_write_tokens: cachedWrite }) },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

interface WholeCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** Gathers the pieces of an answer that is sent whole. */
export function createWholeAnswer(head: AnswerHead) {
  let content = '';
  let reasoning = '';
  const calls: WholeCall[] = [];
  return { add, whole };

  function add(piece: AnswerPiece): void {
    content += piece.content ?? '';
    reasoning += piece.reasoning_content ?? '';
    for (const { index, id = '', function: part, extra_content } of piece.tool_calls ?? []) {
      const call = (calls[index] ??= { id, type: 'function', function: { name: part.name ?? '', arguments: '' } });
      call.function.arguments += part.arguments;
      if (extra_content !== undefined) Object.assign(call, { extra_content });
    }
  }

  function whole(finish: string | null, usage: Usage): object {
    const message = {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const { id, model, created } = head;
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    return { id, object: 'chat.completion', created, model, choices, usage: openaiUsage(usage) };
  }
}
