// An answer in the protocol of chat completions: chunks while it is written, or one object when it is whole.
import type { Usage } from '@parley/schema/catalog/usage';
import { errorBody } from '../api-error.ts';
import type { ChatRequest } from './chat-request.ts';
import type { AnswerHead, AnswerPiece, PicturePiece } from './chunks.ts';
import { dataFrame } from './event-stream.ts';
import type { Face } from './face.ts';

export function chatFace(given: AnswerHead, { stream, stream_options: options }: ChatRequest): Face {
  const head = { ...given, id: `chatcmpl-${given.id}` };
  const answer = createWholeAnswer(head);
  return {
    begin: () => dataFrame(chatChunk(head, { role: 'assistant', content: '' })),
    piece({ signature: _signature, ...piece }) {
      if (Object.keys(piece).length === 0) return '';
      if (stream === true) return dataFrame(chatChunk(head, piece));
      answer.add(piece);
      return '';
    },
    end: (finish, usage) =>
      dataFrame(chatChunk(head, {}, finish)) +
      (options?.include_usage === true ? dataFrame(usageChunk(head, usage)) : '') +
      dataFrame('[DONE]'),
    // No end mark: clients know by it that an answer is whole.
    fail: (fault) => dataFrame(errorBody(fault)),
    whole: answer.whole,
  };
}

function chatChunk(
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

function usageChunk({ id, model, created }: AnswerHead, usage: Usage): object {
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
function createWholeAnswer(head: AnswerHead) {
  let content = '';
  let reasoning = '';
  const calls: WholeCall[] = [];
  const images: PicturePiece[] = [];
  return { add, whole };

  function add(piece: AnswerPiece): void {
    content += piece.content ?? '';
    reasoning += piece.reasoning_content ?? '';
    images.push(...(piece.images ?? []));
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
      ...(images.length > 0 && { images }),
    };
    const { id, model, created } = head;
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    return { id, object: 'chat.completion', created, model, choices, usage: openaiUsage(usage) };
  }
}
