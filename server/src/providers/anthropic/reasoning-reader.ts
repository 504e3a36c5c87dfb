// Collects the reasoning of an answer as Anthropic wants them back beside calls: whole blocks, with their signatures.
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';

type Block = { type: 'thinking'; thinking: string; signature: string } | { type: 'redacted_thinking'; data: string };

export function createReasoningReader() {
  /** Blocks of reasoning that follow each other. */
  let blocks: Block[] = [];
  let open: { index: number; block: Block } | null = null;
  return { read };

  /** The JSON of these blocks, as a list, at the event after the last of them; null at all other events. */
  function read(event: RawMessageStreamEvent): string | null {
    switch (event.type) {
      case 'content_block_start':
        open = openingOf(event);
        if (!open) return take();
        blocks.push(open.block);
        return null;
      case 'content_block_delta':
        if (open?.index === event.index) extend(open.block, event.delta);
        return null;
      case 'message_delta':
        return take();
      default:
        return null;
    }
  }

  function take(): string | null {
    // Other servers with the protocol sign nothing, and want nothing back.
    const signed = blocks.filter((block) => block.type === 'redacted_thinking' || block.signature !== '');
    blocks = [];
    return signed.length > 0 ? JSON.stringify(signed) : null;
  }
}

function openingOf({ index, content_block: block }: Extract<RawMessageStreamEvent, { type: 'content_block_start' }>) {
  switch (block?.type) {
    case 'thinking':
      return { index, block: { type: block.type, thinking: block.thinking ?? '', signature: block.signature ?? '' } };
    case 'redacted_thinking':
      return { index, block: { type: block.type, data: block.data } };
    default:
      return null;
  }
}

function extend(block: Block, delta: { type?: string; thinking?: string; signature?: string } | null): void {
  if (block.type !== 'thinking') return;
  if (delta?.type === 'thinking_delta') block.thinking += delta.thinking ?? '';
  if (delta?.type === 'signature_delta') block.signature += delta.signature ?? '';
}
