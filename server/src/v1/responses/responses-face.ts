// An answer in OpenAI's protocol of items, in events that are numbered.
import type { Usage } from '@parley/schema/catalog/usage';
import { isObject, parseJson } from '@parley/schema/json';
import type { Fault } from '../api-error.ts';
import type { AnswerFinish, AnswerHead, CallPiece, PicturePiece } from '../chat/chunks.ts';
import type { Face } from '../chat/face.ts';
import { ResponsesRequest, toChatRequest } from './responses-request.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerRequest } from '../chat/complete-chat.ts';
import type { ApiServices } from '../api-services.ts';

/** The words of the events of each kind: what is told of an item beside its beginning and its end. */
const WORDS = {
  reasoning: { delta: 'reasoning_summary_text', part: 'reasoning_summary_part', index: 'summary_index' },
  message: { delta: 'output_text', part: 'content_part', index: 'content_index' },
  function_call: { delta: 'function_call_arguments', part: null, index: null },
} as const;

export function responsesFace(head: AnswerHead, asked: ResponsesRequest): Face {
  let number = 0;
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`;
  const items = createItems(event);
  const response = (status: string, more: object = {}) =>
    responseOf(head, asked, { output: items.all, status, ...more });
  const calls = createCalls(head, items);
  const within = (type: 'reasoning' | 'message') =>
    items.last()?.type === type ? '' : items.begin(itemOf(head, type, items.all.length));
  return {
    begin() {
      const started = { response: response('in_progress') };
      return event('response.created', started) + event('response.in_progress', started);
    },
    piece({ content, reasoning_content: reasoning, tool_calls = [], images = [], signature }) {
      return [
        reasoning ? within('reasoning') + items.extend(reasoning) : '',
        signature ? signed(signature.data) : '',
        content ? within('message') + items.extend(content) : '',
        ...images.map((image) => items.add(pictureItem(head, image, items.all.length))),
        ...tool_calls.map(calls.read),
      ].join('');
    },
    end(finish, usage) {
      const { status, more } = endOf(finish, usage);
      return items.close(status) + event(`response.${status}`, { response: response(status, more) });
    },
    fail(fault: Fault) {
      const { message, code, type, param = null } = fault;
      const error = { code: code ?? type, message };
      // OpenAI sends either shape: its clients throw what stands in `error`, and pass over the other.
      const told = { ...error, param, error: { type, ...error, param } };
      return event('error', told) + event('response.failed', { response: response('failed', { error }) });
    },
    whole(finish, usage) {
      const { status, more } = endOf(finish, usage);
      items.close(status);
      return response(status, more);
    },
  };

  /** What OpenAI wants back with the calls that follow. */
  function signed(data: string): string {
    const given = [parseJson(data)].flat().find(isObject);
    if (given?.type !== 'reasoning') return '';
    const frames = within('reasoning');
    Object.assign(items.last() ?? {}, { encrypted_content: given.encrypted_content });
    return frames + items.close();
  }
}

function createCalls({ id }: AnswerHead, items: ReturnType<typeof createItems>) {
  let told: number | null = null;
  return { read };

  function read({ index, id: callId = '', function: { name = '', arguments: more } }: CallPiece): string {
    const isNew = told !== index || items.last()?.type !== 'function_call';
    // A call that was told before has nothing more to say.
    if (isNew && name === '') return '';
    told = index;
    const call = { status: 'in_progress', call_id: callId, name, arguments: '' };
    const frames = isNew ? items.begin({ id: `fc_${id}_${index}`, type: 'function_call', ...call }) : '';
    return frames + items.extend(more);
  }
}

function itemOf({ id }: AnswerHead, type: 'reasoning' | 'message', place: number): Item {
  if (type === 'reasoning') return { id: `rs_${id}_${place}`, type, summary: [] };
  return { id: `msg_${id}_${place}`, type, status: 'in_progress', role: 'assistant', content: [] };
}

function pictureItem({ id }: AnswerHead, { image_url: { url } }: PicturePiece, place: number): WholeItem {
  const result = url.slice(url.indexOf(',') + 1);
  return { id: `ig_${id}_${place}`, type: 'image_generation_call', status: 'completed', result };
}

function endOf(finish: AnswerFinish, usage: Usage): { status: 'completed' | 'incomplete'; more: object } {
  const told = { usage: usageOf(usage) };
  if (finish === 'stop' || finish === 'tool_calls') return { status: 'completed', more: told };
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return { status: 'incomplete', more: { ...told, incomplete_details: { reason } } };
}

function responseOf({ id, model, created }: AnswerHead, asked: ResponsesRequest, more: object): object {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    model,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: asked.reasoning?.effort ?? null, summary: asked.reasoning?.summary ?? null },
    store: asked.store ?? false,
    temperature: asked.temperature ?? null,
    text: { format: asked.text?.format ?? { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? null,
    truncation: 'disabled',
    usage: null,
    metadata: asked.metadata ?? {},
    ...more,
  };
}

function usageOf({ input, output, cachedRead = 0, reasoning = 0 }: Usage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

// The items of an answer in OpenAI's protocol of items, one after the other, each from its addition to its end.

type Kind = 'reasoning' | 'message' | 'function_call';

type Item = Record<string, unknown> & { id: string; type: Kind };

/** One that comes whole. */
type WholeItem = Record<string, unknown> & { id: string; type: 'image_generation_call' };

/** Writes an event, with its number. */
type WriteEvent = (type: string, fields: object) => string;

/** Each function returns the frames that tell what it does. */
function createItems(event: WriteEvent) {
  const items: (Item | WholeItem)[] = [];
  let open: Item | null = null;
  let text = '';
  return { all: items, last: () => open, begin, extend, close, add };

  function begin(item: Item): string {
    const closed = close();
    open = item;
    text = '';
    items.push(item);
    const added = event('response.output_item.added', { output_index: items.length - 1, item });
    const { part } = WORDS[item.type];
    return closed + added + (part ? event(`response.${part}.added`, { ...placeOf(item), part: partOf(item, '') }) : '');
  }

  function extend(more: string): string {
    if (!open || more === '') return '';
    text += more;
    const logprobs = open.type === 'message' && { logprobs: [] };
    return event(`response.${WORDS[open.type].delta}.delta`, { ...placeOf(open), delta: more, ...logprobs });
  }

  function close(status = 'completed'): string {
    if (!open) return '';
    const item = open;
    const { delta, part } = WORDS[item.type];
    finish(item, status);
    open = null;
    const said = item.type === 'function_call' ? { name: item.name, arguments: text } : { text };
    const logprobs = item.type === 'message' && { logprobs: [] };
    return [
      event(`response.${delta}.done`, { ...placeOf(item), ...said, ...logprobs }),
      part ? event(`response.${part}.done`, { ...placeOf(item), part: partOf(item, text) }) : '',
      event('response.output_item.done', { output_index: items.length - 1, item }),
    ].join('');
  }

  function add(item: WholeItem): string {
    const closed = close();
    items.push(item);
    const place = { output_index: items.length - 1, item };
    return closed + event('response.output_item.added', place) + event('response.output_item.done', place);
  }

  function finish(item: Item, status: string): void {
    if (item.type === 'reasoning') item.summary = text === '' ? [] : [partOf(item, text)];
    else if (item.type === 'message') Object.assign(item, { status, content: [partOf(item, text)] });
    else Object.assign(item, { status, arguments: text });
  }

  function placeOf({ id, type }: Item): object {
    const { index } = WORDS[type];
    return { item_id: id, output_index: items.length - 1, ...(index && { [index]: 0 }) };
  }
}

function partOf({ type }: Item, text: string): object {
  return type === 'reasoning'
    ? { type: 'summary_text', text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };
}

// POST /v1/responses: OpenAI's protocol of items over the call that answers chat completions.
export function createResponse(deps: ApiServices, request: ApiRequest): Promise<Response> {
  const asked = ResponsesRequest.parse(request.body);
  return answerRequest(deps, request, toChatRequest(asked), (head) => responsesFace(head, asked));
}
