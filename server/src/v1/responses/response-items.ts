// The items of an answer in OpenAI's protocol of items, one after the other, each from its addition to its end.

type Kind = 'reasoning' | 'message' | 'function_call';
export type Item = Record<string, unknown> & { id: string; type: Kind };
/** One that comes whole. */
export type WholeItem = Record<string, unknown> & { id: string; type: 'image_generation_call' };

/** Writes an event, with its number. */
export type WriteEvent = (type: string, fields: object) => string;

/** The words of the events of each kind: what is told of an item beside its beginning and its end. */
const WORDS = {
  reasoning: { delta: 'reasoning_summary_text', part: 'reasoning_summary_part', index: 'summary_index' },
  message: { delta: 'output_text', part: 'content_part', index: 'content_index' },
  function_call: { delta: 'function_call_arguments', part: null, index: null },
} as const;

/** Each function returns the frames that tell what it does. */
export function createItems(event: WriteEvent) {
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
