import type { ToolCall } from '@parley/schema/messages';

/** What a tool does, as far as the screen tells it apart. */
export type ToolWork = 'code' | 'retrieval' | 'image' | 'function';

export interface ToolReading {
  work: ToolWork;
  state: 'working' | 'finished' | 'failed';
  /** From above 0 to 1. */
  progress: number;
  /** Laid out to be read where it is JSON. */
  input: string;
  output: string;
}

/** What a call that says nothing of its progress has done. */
const UNKNOWN_PROGRESS = 0.1;
const FAILURE = 'error processing tool';
/** Functions whose work is a picture. */
const IMAGE_TOOLS = new Set(['dalle', 'dall-e', 'stable-diffusion']);

export function readToolCall({ kind, name, input, output, progress }: ToolCall): ToolReading {
  const known = Number.isFinite(progress) && progress > 0 ? Math.min(progress, 1) : UNKNOWN_PROGRESS;
  return {
    work: workOf(kind, name),
    state: output?.includes(FAILURE) ? 'failed' : known < 1 ? 'working' : 'finished',
    progress: known,
    input: laidOut(input),
    output: laidOut(output ?? ''),
  };
}

function workOf(kind: ToolCall['kind'], name: string): ToolWork {
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

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
