import type { ToolCall } from '@parley/schema/messages/messages';

/** The kinds of tools that the UI distinguishes. */
export type ToolKind = 'code' | 'retrieval' | 'image' | 'function';

export type ToolCallState = 'working' | 'finished' | 'failed' | 'stopped';

export interface ToolReading {
  work: ToolKind;
  state: ToolCallState;
  /** Greater than 0, at most 1. */
  progress: number;
}

/** The assumed progress of a call that reports none. */
const UNKNOWN_PROGRESS = 0.1;
const FAILURE = 'error processing tool';
/** Functions that generate images. */
const IMAGE_TOOLS = new Set(['dalle', 'dall-e', 'stable-diffusion']);

/** `isWriting`: the reply is in progress; a call that has not ended with its reply was stopped. */
export function readToolCall({ kind, name, output, progress }: ToolCall, isWriting: boolean): ToolReading {
  const known = Number.isFinite(progress) && progress > 0 ? Math.min(progress, 1) : UNKNOWN_PROGRESS;
  return {
    work: toolKindOf(kind, name),
    state: stateOf(output ?? '', known < 1, isWriting),
    progress: known,
  };
}

function stateOf(output: string, isOpen: boolean, isWriting: boolean): ToolCallState {
  if (output.includes(FAILURE)) return 'failed';
  if (isOpen && isWriting) return 'working';
  return isOpen && output === '' ? 'stopped' : 'finished';
}

function toolKindOf(kind: ToolCall['kind'], name: string): ToolKind {
  switch (kind) {
    case 'code_interpreter':
      return 'code';
    case 'retrieval':
      return 'retrieval';
    case 'function':
      return IMAGE_TOOLS.has(name) ? 'image' : 'function';
    default:
      return kind satisfies never;
  }
}
