import type { ToolCall } from '@parley/schema/messages/messages';
import { formatJson } from '../steps/read-arguments.ts';

/** The kinds of tools that the UI distinguishes. */
export type ToolKind = 'code' | 'retrieval' | 'image' | 'function';

export interface ToolReading {
  work: ToolKind;
  state: 'working' | 'finished' | 'failed';
  /** Greater than 0, at most 1. */
  progress: number;
  /** Pretty-printed if it is JSON. */
  input: string;
  output: string;
}

/** The assumed progress of a call that reports none. */
const UNKNOWN_PROGRESS = 0.1;
const FAILURE = 'error processing tool';
/** Functions that generate images. */
const IMAGE_TOOLS = new Set(['dalle', 'dall-e', 'stable-diffusion']);

export function readToolCall({ kind, name, input, output, progress }: ToolCall): ToolReading {
  const known = Number.isFinite(progress) && progress > 0 ? Math.min(progress, 1) : UNKNOWN_PROGRESS;
  return {
    work: toolKindOf(kind, name),
    state: output?.includes(FAILURE) ? 'failed' : known < 1 ? 'working' : 'finished',
    progress: known,
    input: formatJson(input),
    output: formatJson(output ?? ''),
  };
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
