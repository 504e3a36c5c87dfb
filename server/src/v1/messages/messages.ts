// POST /v1/messages and POST /v1/messages/count_tokens: Anthropic's protocol over the call that answers chat completions.
import type { ApiRequest } from '../api-request.ts';
import { withAttachments } from '../chat/attachments.ts';
import { answerRequest } from '../chat/complete-chat.ts';
import { prepareCall } from '../chat/provider-call.ts';
import { chooseModel } from '../models.ts';
import { readCountRequest, readMessagesRequest } from './messages-request.ts';
import type { ApiServices } from '../api-services.ts';
import { randomUUID } from 'node:crypto';
import type { Usage } from '@parley/schema/catalog/usage';
import { isObject, parseJson } from '@parley/schema/json';
import type { Fault } from '../api-error.ts';
import type { AnswerFinish, AnswerHead, AnswerPiece, CallPiece } from '../chat/chunks.ts';
import type { Face } from '../chat/face.ts';
import { messagesError } from './messages-error.ts';

const STOPS: Record<AnswerFinish, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
};

export function createMessage(deps: ApiServices, request: ApiRequest): Promise<Response> {
  return answerRequest(deps, request, readMessagesRequest(request.body), messagesFace);
}

/** By the tokenizer that budgets use, so about right. */
export async function countMessageTokens(deps: ApiServices, { holder, body, signal }: ApiRequest): Promise<Response> {
  const given = readCountRequest(body);
  const chosen = await chooseModel(deps, holder, given.asked.model);
  const target = await chosen.endpoint.target(holder.userId, chosen.model);
  const whole = await withAttachments(deps, given, chosen, signal);
  const { countPromptTokens } = prepareCall(whole, chosen, target, holder.userId);
  return Response.json({ input_tokens: await countPromptTokens() });
}

// An answer in Anthropic's protocol.
function messagesFace({ id, model }: AnswerHead): Face {
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

// The content blocks of a message in Anthropic's protocol, one after the other, each from its start to its stop.
type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

function messageEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Each function returns the frames that tell what it does. */
function createBlocks() {
  const blocks: Block[] = [];
  /** The arguments of the open call, as they came. */
  let input = '';
  let isOpen = false;
  return { all: blocks, last: () => (isOpen ? blocks.at(-1) : undefined), open, close, text, thinking, sign, extend };

  function open(block: Block): string {
    const closed = close();
    blocks.push(block);
    isOpen = true;
    input = '';
    return closed + messageEvent('content_block_start', { index: blocks.length - 1, content_block: block });
  }

  function close(): string {
    if (!isOpen) return '';
    isOpen = false;
    const block = blocks.at(-1);
    if (block?.type === 'tool_use') block.input = parseJson(input) ?? {};
    return messageEvent('content_block_stop', { index: blocks.length - 1 });
  }

  function text(more: string): string {
    const frames = within({ type: 'text', text: '' });
    const block = blocks.at(-1);
    if (block?.type === 'text') block.text += more;
    return frames + delta({ type: 'text_delta', text: more });
  }

  function thinking(more: string): string {
    const frames = within({ type: 'thinking', thinking: '', signature: '' });
    const block = blocks.at(-1);
    if (block?.type === 'thinking') block.thinking += more;
    return frames + delta({ type: 'thinking_delta', thinking: more });
  }

  function sign(signature: string): string {
    const frames = within({ type: 'thinking', thinking: '', signature: '' });
    const block = blocks.at(-1);
    if (block?.type === 'thinking') block.signature = signature;
    return frames + delta({ type: 'signature_delta', signature }) + close();
  }

  /** More of the arguments of the open call. */
  function extend(more: string): string {
    input += more;
    return delta({ type: 'input_json_delta', partial_json: more });
  }

  function within(block: Block): string {
    return isOpen && blocks.at(-1)?.type === block.type ? '' : open(block);
  }

  function delta(what: object): string {
    return messageEvent('content_block_delta', { index: blocks.length - 1, delta: what });
  }
}
