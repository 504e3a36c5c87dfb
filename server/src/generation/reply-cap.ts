// Limits the size and duration of one reply: a provider chosen by a user may never stop.
import { isTextEvent, type GenerationEvent } from '@parley/schema/generation/events';
import { toolLog, type MessagePart, type ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';

export interface ReplyLimits {
  /** UTF-8 bytes of text, including reasoning and tool inputs; unlimited when undefined. */
  replyBytes?: number;
  /** Duration in milliseconds; unlimited when undefined. */
  replyMs?: number;
}

export interface ReplyCap {
  /** Counts an event. The earlier text of a continued answer is not counted. */
  add(event: GenerationEvent): void;
  /** Why the reply must end; null while it is within its limits. */
  reached(): Reason | null;
  end(): void;
}

/** Calls `onReached` once, when the first of the limits is reached. */
export function createReplyCap({ replyBytes = Infinity, replyMs }: ReplyLimits, onReached: () => void): ReplyCap {
  /** The size of each part that events replace as a whole, and of the arguments in it. */
  const wholes = new Map<number, { size: number; input: number }>();
  let bytes = 0;
  let reason: Reason | null = null;
  const timer = replyMs === undefined ? undefined : setTimeout(reach, replyMs, { type: 'answer_too_slow' });
  return { add, reached: () => reason, end: () => clearTimeout(timer) };

  function add(event: GenerationEvent): void {
    if (isTextEvent(event)) bytes += Buffer.byteLength(event.text);
    if (event.type === 'part') {
      const before = wholes.get(event.part) ?? { size: 0, input: 0 };
      const input = event.keeps ? before.input : inputSizeOf(event.value);
      const size = input + sizeOf(event.value);
      bytes += size - before.size;
      wholes.set(event.part, { size, input });
    }
    if (bytes > replyBytes) reach({ type: 'answer_too_long' });
  }

  function reach(why: Reason): void {
    if (reason) return;
    reason = why;
    onReached();
  }
}

function inputSizeOf(part: MessagePart): number {
  return part.type === 'tool_call' ? Buffer.byteLength(part.call.input) : 0;
}

/** Without the arguments of a tool call. */
function sizeOf(part: MessagePart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'error':
      return Buffer.byteLength(part.text);
    case 'tool_call':
      return Buffer.byteLength(part.call.output ?? '') + Buffer.byteLength(toolLog(part.call)) + madeBytes(part.call);
    case 'image':
    case 'file':
      return 0;
    default:
      return part satisfies never;
  }
}

/** Of the artifact that a call made. */
function madeBytes({ outputs = [] }: ToolCall): number {
  return outputs.reduce((sum, one) => sum + (one.type === 'artifact' ? Buffer.byteLength(one.source) : 0), 0);
}
