// An answer in Anthropic's protocol.
import { randomUUID } from 'node:crypto';
import type { Usage } from '@parley/schema/catalog/usage';
import { isObject, parseJson } from '@parley/schema/json';
import type { Fault } from '../api-error.ts';
import type { AnswerFinish, AnswerHead, AnswerPiece, CallPiece } from '../chat/chunks.ts';
import type { Face } from '../chat/face.ts';
import { createBlocks, messageEvent } from './message-blocks.ts';
import { messagesError } from './messages-error.ts';

const STOPS: Record<AnswerFinish, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
};

export function messagesFace({ id, model }: AnswerHead): Face {
  const head = { id: `msg_${id}`, type: 'message', role: 'assistant', model };
  const blocks = createBlocks();
  /** Of the call that is told. */
  let call: number | null = null;
  return {
    begin() {
      const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: usageOf(null) };
      return messageEvent('message_start', { message });
    },
    piece({ content, reasoning_content: reasoning, tool_calls: calls = [], signature }: AnswerPiece) {
      return [
        reasoning ? blocks.thinking(reasoning) : '',
        signature?.endpointType === 'anthropic' ? signed(signature.data) : '',
        content ? blocks.text(content) : '',
        ...calls.map(callPiece),
      ].join('');
    },
    end: (finish, usage) =>
      blocks.close() +
      messageEvent('message_delta', {
        delta: { stop_reason: STOPS[finish], stop_sequence: null },
        usage: usageOf(usage),
      }) +
      messageEvent('message_stop', {}),
    fail: (fault: Fault) => messageEvent('error', messagesError(fault)),
    whole(finish, usage) {
      blocks.close();
      return { ...head, content: blocks.all, stop_reason: STOPS[finish], stop_sequence: null, usage: usageOf(usage) };
    },
  };

  /** The blocks that were signed. What was told as one can't be signed as several. */
  function signed(data: string): string {
    const given = [parseJson(data)].flat().filter(isObject);
    const [only, ...others] = given.filter(({ type }) => type === 'thinking');
    const redacted = given.filter(({ type }) => type === 'redacted_thinking');
    const frames = only && others.length === 0 ? blocks.sign(String(only.signature)) : '';
    const hidden = redacted.map(({ data: secret }) => blocks.open({ type: 'redacted_thinking', data: String(secret) }));
    return frames + hidden.join('') + blocks.close();
  }

  function callPiece({ index, id: callId = '', function: { name = '', arguments: more } }: CallPiece): string {
    const isNew = call !== index || blocks.last()?.type !== 'tool_use';
    // A call that was told before has nothing more to say.
    if (isNew && name === '') return '';
    call = index;
    const block = { type: 'tool_use' as const, id: callId || `toolu_${randomUUID()}`, name, input: {} };
    const frames = isNew ? blocks.open(block) : '';
    return more === '' ? frames : frames + blocks.extend(more);
  }
}

/** The counts do not include each other, as those of this server do. */
function usageOf(usage: Usage | null): object {
  const { input = 0, output = 0, cachedRead = 0, cachedWrite = 0 }: Partial<Usage> = usage ?? {};
  return {
    input_tokens: Math.max(0, input - cachedRead - cachedWrite),
    cache_read_input_tokens: cachedRead,
    cache_creation_input_tokens: cachedWrite,
    output_tokens: output,
  };
}
