// The content blocks of a message in Anthropic's protocol, one after the other, each from its start to its stop.
import { parseJson } from '@parley/schema/json';

export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

export function messageEvent(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Each function returns the frames that tell what it does. */
export function createBlocks() {
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
