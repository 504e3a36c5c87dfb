// Reads Gemini's stream from the raw parts of each chunk.
import { readUsage } from '@parley/schema/catalog/usage';
import type { FinishReason } from '@parley/schema/messages/messages';
import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { createPictureReader } from '../compatible/answer-pictures.ts';
import { createSources } from '../compatible/answer-sources.ts';
import { callBegun } from '../finished-calls.ts';
import { readFailure } from '../compatible/read-failure.ts';
import type { ProviderCall } from '../provider.ts';
import { reasonOfStatus } from '../status.ts';

/** Any field may be missing. */
export interface LooseContent {
  candidates?:
    | { content?: { parts?: LoosePart[] | null } | null; finishReason?: string | null; groundingMetadata?: unknown }[]
    | null;
  promptFeedback?: { blockReason?: string | null } | null;
  usageMetadata?: {
    promptTokenCount?: number | null;
    candidatesTokenCount?: number | null;
    thoughtsTokenCount?: number | null;
    /** The part of the prompt that was read from a cache. */
    cachedContentTokenCount?: number | null;
    /** What a tool of Google's own gave back to the model: not part of the prompt's count. */
    toolUsePromptTokenCount?: number | null;
  } | null;
  error?: { code?: number };
}

interface LoosePart {
  text?: string | null;
  thought?: boolean | null;
  /** What a model draws. */
  inlineData?: { mimeType?: string; data?: string } | null;
  functionCall?: { id?: string; name?: string; args?: unknown } | null;
  /** Wanted back with the call. */
  thoughtSignature?: string | null;
}

type ReaderCall = Pick<ProviderCall, 'target' | 'model' | 'tools'>;

export interface ContentReader {
  read(chunk: LooseContent): Generator<Delta>;
  /** Emits what is known only at the end of the stream: each chunk reports the usage so far. */
  end(): Generator<Delta>;
}

/** Where tools are offered, the signatures of calls are returned, too. */
export function createContentReader({ target, model, tools = [] }: ReaderCall): ContentReader {
  const { endpoint } = target;
  const calls = new Set<string>();
  const sources = createSources();
  const pictures = createPictureReader();
  let usage: LooseContent['usageMetadata'] = null;
  return { read, end };

  function* read(chunk: LooseContent): Generator<Delta> {
    if (chunk.error)
      refuse(reasonOfStatus({ status: chunk.error.code ?? 500, ...readFailure({ ...chunk }) }, endpoint));
    // Each chunk reports the usage so far. The first tells of the prompt, which a stopped answer has used, too.
    if (!usage && chunk.usageMetadata)
      yield* usageOf({ ...chunk.usageMetadata, candidatesTokenCount: 0, thoughtsTokenCount: 0 });
    usage = chunk.usageMetadata ?? usage;
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) yield* readPart(part);
    sources.note(candidate?.groundingMetadata);
    if (candidate?.finishReason)
      yield { type: 'finish', reason: finishReasonOf(candidate.finishReason, calls.size > 0) };
    // The question itself was refused: there is no candidate.
    else if (chunk.promptFeedback?.blockReason) yield { type: 'finish', reason: 'content_filter' };
  }

  function* readPart({ text, thought, inlineData, functionCall, thoughtSignature }: LoosePart): Generator<Delta> {
    if (text) yield { type: thought ? 'reasoning' : 'text', text };
    if (inlineData && !thought) yield* pictures.read({ inlineData });
    if (functionCall) yield* readCall(functionCall, thoughtSignature);
  }

  /** Calls arrive whole. */
  function* readCall(
    { id: theirs, name, args }: NonNullable<LoosePart['functionCall']>,
    signature: LoosePart['thoughtSignature'],
  ): Generator<Delta> {
    const id = theirs && !calls.has(theirs) ? theirs : `call-${calls.size}`;
    calls.add(id);
    yield callBegun(id, name ?? '', JSON.stringify(args ?? {}));
    if (signature && tools.length > 0)
      yield { type: 'signature', id, signature: { endpointType: 'google', model, data: signature } };
  }

  function* end(): Generator<Delta> {
    yield* sources.told();
    if (usage?.candidatesTokenCount != null || usage?.thoughtsTokenCount != null) yield* usageOf(usage);
  }
}

/** Reasoning is not part of `candidatesTokenCount`. */
function* usageOf(reported: NonNullable<LooseContent['usageMetadata']>): Generator<Delta> {
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = reported;
  const usage = readUsage({
    input: (promptTokenCount ?? 0) + (toolUsePromptTokenCount ?? 0),
    cachedRead: reported.cachedContentTokenCount,
    output: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
    reasoning: thoughtsTokenCount,
  });
  if (usage) yield { type: 'usage', ...usage };
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
    // Instead of a call that is no JSON.
    case 'MALFORMED_FUNCTION_CALL':
      return refuse({ type: 'provider_malformed' });
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}
