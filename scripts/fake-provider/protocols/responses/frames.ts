/** The events of a stream in the Responses protocol: items are added, grow and are done; the last event repeats all. */
import { roughTokens } from '@parley/server/providers/demo/turns';
import { tell, type RecordedRequest } from '../../record.ts';
import type { Talk } from '../../respond.ts';
import type { FinishReason, StreamScript, ToolCall } from '../../scenario.ts';
import type { Frames, SentContent } from '../../stream-script.ts';

const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

let lastId = 0;

/** How reasoning is sent: by a summary, encrypted, or as an item with neither. */
export type ReasoningOutput = { summary: boolean; encrypted: boolean };

export function createResponseFrames(
  talk: Talk,
  script: StreamScript,
  reasoning: ReasoningOutput,
  record: RecordedRequest,
): Frames {
  const id = `resp_fake${String(++lastId).padStart(8, '0')}`;
  let sequence = 0;
  const event: Event = (type, data) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
  const output = createOutput(id, event, reasoning);
  const response = (status: string, more: object) => ({
    response: { id, object: 'response', status, error: null, incomplete_details: null, model: talk.model, ...more },
  });

  return {
    headers,
    open: () =>
      event('response.created', response('in_progress', { output: [] })) +
      event('response.in_progress', response('in_progress', { output: [] })),
    text: (delta) => output.within('message') + output.grow(delta),
    reasoning: (delta) => output.within('reasoning') + (reasoning.summary ? output.grow(delta) : ''),
    signature: (data) => output.within('reasoning') + output.sign(data),
    picture: (result) =>
      event('response.output_item.done', {
        output_index: 98,
        item: { id: `ig_${id}`, type: 'image_generation_call', status: 'completed', result },
      }),
    tool: (call) => output.call(call),
    edgeCase: () =>
      event('response.x_unknown', { delta: 'NOT OURS', x: { a: 1 } }) +
      event('response.output_item.added', { output_index: 99, item: search }) +
      event('response.web_search_call.searching', { output_index: 99 }) +
      event('response.output_item.done', { output_index: 99, item: search }) +
      output.within('message') +
      output.grow('') +
      event('response.output_text.annotation.added', { output_index: 0, annotation: null }),
    broken: () => 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"bro\n\n',
    error: (message, status) =>
      event('error', { code: status === undefined ? 'server_error' : String(status), message, param: null }),
    close: (finish, said) => (finish === null ? '' : output.done() + closing(finish, said)),
  };

  function closing(finish: FinishReason, said: SentContent): string {
    const whole = { output: output.items.map(wholeItem), usage: usageOf(talk, said, script, record) };
    const why = WHY_INCOMPLETE[finish];
    if (why === undefined) return event('response.completed', response('completed', whole));
    return event('response.incomplete', response('incomplete', { ...whole, incomplete_details: { reason: why } }));
  }
}

type Event = (type: string, data: object) => string;

/** The items of a response. One is open at a time: it is done before the next begins. */
function createOutput(id: string, event: Event, { summary: showsThoughts, encrypted }: ReasoningOutput) {
  const items: Item[] = [];
  let open: Item | null = null;
  const place = () => ({ item_id: `${id}_${items.length - 1}`, output_index: items.length - 1 });
  return { items, within, grow, sign, done, call };

  function within(type: Item['type']): string {
    if (open?.type === type) return '';
    const before = done();
    open = { type, text: '', id: `rs_${id}_${items.length}` };
    items.push(open);
    return before + event('response.output_item.added', { ...place(), item: wholeItem(open) }) + partAdded(type);
  }

  function partAdded(type: Item['type']): string {
    if (type === 'reasoning' && showsThoughts)
      return event('response.reasoning_summary_part.added', { ...place(), summary_index: 0 });
    return type === 'message' ? event('response.content_part.added', { ...place(), content_index: 0 }) : '';
  }

  function grow(delta: string): string {
    if (!open) return '';
    open.text += delta;
    return open.type === 'reasoning'
      ? event('response.reasoning_summary_text.delta', { ...place(), summary_index: 0, delta })
      : event('response.output_text.delta', { ...place(), content_index: 0, delta, logprobs: [] });
  }

  /** Signed reasoning is over. */
  function sign(data: string): string {
    if (open && encrypted) open.encrypted_content = data;
    return done();
  }

  function done(): string {
    if (!open) return '';
    const { type, text } = open;
    const textDone =
      type === 'message' ? event('response.output_text.done', { ...place(), content_index: 0, text }) : '';
    const itemDone = event('response.output_item.done', { ...place(), item: wholeItem(open) });
    open = null;
    return textDone + itemDone;
  }

  function call({ id: call_id, name, pieces }: ToolCall): string {
    const before = done();
    const item = { type: 'function_call', call_id, name } as const;
    items.push({ ...item, text: pieces.join('') });
    const deltas = pieces.map((delta) => event('response.function_call_arguments.delta', { ...place(), delta }));
    return (
      before +
      event('response.output_item.added', { ...place(), item: { ...item, arguments: '' } }) +
      deltas.join('') +
      event('response.output_item.done', { ...place(), item: { ...item, arguments: pieces.join('') } })
    );
  }
}

const WHY_INCOMPLETE: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Of a kind that was never asked for. */
const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } };

type Item = {
  type: 'message' | 'reasoning' | 'function_call';
  text: string;
  id?: string;
  encrypted_content?: string;
  call_id?: string;
  name?: string;
};

function wholeItem({ type, text, id, encrypted_content, call_id, name }: Item): object {
  switch (type) {
    case 'message':
      return { type, role: 'assistant', content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }] };
    case 'reasoning':
      return {
        type,
        id,
        summary: text === '' ? [] : [{ type: 'summary_text', text }],
        ...(encrypted_content !== undefined && { encrypted_content }),
      };
    case 'function_call':
      return { type, call_id, name, arguments: text };
    default:
      return type satisfies never;
  }
}

function usageOf(
  { messages }: Talk,
  said: SentContent,
  { usage }: StreamScript,
  record: RecordedRequest,
): object | null {
  if (usage === 'never') return null;
  if (usage === 'odd') return { input_tokens: 0, output_tokens: null };
  const counted = {
    prompt: roughTokens(messages.map(({ text }) => text).join('')),
    completion: said.deltas,
    reasoning: Math.min(roughTokens(said.reasoning), said.deltas),
  };
  const {
    prompt,
    completion,
    cached = 0,
    reasoning = 0,
  } = typeof usage === 'object' ? usage : { ...counted, cached: 0 };
  tell(record, { input: prompt, cachedRead: cached, output: completion, reasoning });
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
  };
}
