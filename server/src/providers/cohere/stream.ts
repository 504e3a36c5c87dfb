// Cohere's chat protocol: the question is separate from the history, and the answer is one JSON object per line.
import { readUsage } from '@parley/schema/catalog/usage';
import type { FinishReason, ToolCall } from '@parley/schema/messages/messages';
import { Refusal, refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { createSources } from '../compatible/answer-sources.ts';
import { reasonOfFailure } from '../failure.ts';
import { withContinuePrompt } from '../continue-prompt.ts';
import { readLines, post } from '../sse-client.ts';
import type { ProviderCall } from '../provider.ts';

export async function* streamCohere(call: ProviderCall, signal: AbortSignal): AsyncGenerator<Delta> {
  const { baseURL, apiKey, headers, endpoint, fetch } = call.target;
  try {
    const response = await post({
      url: `${baseURL}/chat`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(bodyOf(call)),
      signal,
      endpoint,
      fetch,
    });
    const read = createReader();
    for await (const line of readLines(response, call.onBytes))
      if (line !== '') yield* read(JSON.parse(line) as LooseEvent);
  } catch (error) {
    throw new Refusal(reasonOfFailure(error, endpoint));
  }
}

function bodyOf({ target, model, settings, messages, summary, maxTokens }: ProviderCall): object {
  const { promptPrefix, temperature, top_p, frequency_penalty, presence_penalty, stop } = settings;
  const turns = withContinuePrompt(messages);
  const body: Record<string, unknown> = {
    model,
    message: turns.at(-1)?.content ?? '',
    chat_history: turns
      .slice(0, -1)
      .map(({ role, content }) => ({ role: role === 'user' ? 'USER' : 'CHATBOT', message: content })),
    preamble: preambleOf(promptPrefix, summary),
    temperature,
    p: top_p,
    frequency_penalty: fraction(frequency_penalty),
    presence_penalty: fraction(presence_penalty),
    stop_sequences: stop,
    max_tokens: maxTokens,
    stream: true,
    ...target.addParams,
  };
  for (const name of target.dropParams) delete body[name];
  return body;
}

function preambleOf(prefix: unknown, summary: string | null | undefined): string | undefined {
  const instructions = typeof prefix === 'string' && prefix.trim() !== '' ? [prefix] : [];
  const texts = summary ? [...instructions, summary] : instructions;
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** Cohere's penalties range from 0 to 1, ours from -2 to 2. */
function fraction(penalty: unknown): number | undefined {
  return typeof penalty === 'number' ? Math.min(1, Math.max(0, penalty)) : undefined;
}

interface LooseEvent {
  event_type?: string;
  text?: string | null;
  tool_calls?: LooseCall[] | null;
  /** Of a search that the configuration asks for, as a connector in `addParams`. */
  documents?: unknown;
  finish_reason?: string | null;
  response?: { meta?: { billed_units?: Tokens | null; tokens?: Tokens | null } | null } | null;
}

interface LooseCall {
  name?: string;
  parameters?: unknown;
}

interface Tokens {
  input_tokens?: number | null;
  output_tokens?: number | null;
}

/** Reads one answer; its tool calls have no ids, so they are numbered. */
function createReader(): (event: LooseEvent) => Generator<Delta> {
  let calls = 0;
  const sources = createSources();
  return read;

  function* read(event: LooseEvent): Generator<Delta> {
    switch (event.event_type) {
      case 'text-generation':
        if (event.text) yield { type: 'text', text: event.text };
        return;
      case 'tool-calls-generation':
        for (const call of event.tool_calls ?? []) yield { type: 'tool', call: toolOf(`call-${calls++}`, call) };
        return;
      case 'search-results':
        return sources.note(event.documents);
      case 'stream-end': {
        yield* sources.told();
        yield { type: 'finish', reason: finishReasonOf(event.finish_reason ?? '') };
        const { tokens, billed_units: billed } = event.response?.meta ?? {};
        const { input_tokens: input, output_tokens: output } = tokens ?? billed ?? {};
        const usage = readUsage({ input, output });
        if (usage) yield { type: 'usage', ...usage };
      }
    }
  }
}

function toolOf(id: string, { name = '', parameters }: LooseCall): ToolCall {
  return { id, kind: 'function', name, input: JSON.stringify(parameters ?? {}), output: null, progress: 0.1 };
}

function finishReasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'MAX_TOKENS':
    case 'ERROR_LIMIT':
      return 'length';
    case 'ERROR_TOXIC':
      return 'content_filter';
    case 'TOOL_CALL':
      return 'tool_calls';
    case 'ERROR':
      return refuse({ type: 'provider_unavailable', status: null });
    default:
      return 'stop';
  }
}
