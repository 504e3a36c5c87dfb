// Reads Gemini's stream from the raw parts of each chunk.
import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { failureOf } from '../sse-client.ts';
import { reasonOfStatus } from '../status.ts';

/** Any field may be missing. */
export interface LooseContent {
  candidates?: { content?: { parts?: LoosePart[] | null } | null; finishReason?: string | null }[] | null;
  promptFeedback?: { blockReason?: string | null } | null;
  usageMetadata?: {
    promptTokenCount?: number | null;
    candidatesTokenCount?: number | null;
    thoughtsTokenCount?: number | null;
  } | null;
  error?: { code?: number };
}

interface LoosePart {
  text?: string | null;
  thought?: boolean | null;
  functionCall?: { id?: string; name?: string; args?: unknown } | null;
}

export interface ContentReader {
  read(chunk: LooseContent): Generator<Delta>;
  /** Emits what is known only at the end of the stream: each chunk reports the usage so far. */
  end(): Generator<Delta>;
}

export function createContentReader(endpoint: string): ContentReader {
  let calls = 0;
  let usage: LooseContent['usageMetadata'] = null;
  return { read, end };

  function* read(chunk: LooseContent): Generator<Delta> {
    if (chunk.error) refuse(reasonOfStatus({ status: chunk.error.code ?? 500, ...failureOf({ ...chunk }) }, endpoint));
    usage = chunk.usageMetadata ?? usage;
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) yield* readPart(part);
    if (candidate?.finishReason) yield { type: 'finish', reason: finishReasonOf(candidate.finishReason, calls > 0) };
    // The question itself was refused: there is no candidate.
    else if (chunk.promptFeedback?.blockReason) yield { type: 'finish', reason: 'content_filter' };
  }

  function* readPart({ text, thought, functionCall }: LoosePart): Generator<Delta> {
    if (text) yield { type: thought ? 'reasoning' : 'text', text };
    if (functionCall) yield { type: 'tool', call: toolOf(functionCall) };
  }

  function toolOf({ id, name = '', args }: NonNullable<LoosePart['functionCall']>): ToolCall {
    const call = id ?? `call-${calls}`;
    calls += 1;
    return { id: call, kind: 'function', name, input: JSON.stringify(args ?? {}), output: null, progress: 0.1 };
  }

  function* end(): Generator<Delta> {
    const { promptTokenCount: input, candidatesTokenCount: said, thoughtsTokenCount: thought } = usage ?? {};
    if (input && typeof said === 'number') yield { type: 'usage', input, output: said + (thought ?? 0) };
  }
}

function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'LANGUAGE':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
      return 'content_filter';
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}
