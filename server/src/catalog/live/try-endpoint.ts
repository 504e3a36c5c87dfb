// Tries an endpoint: fetches its list of models, and asks one of them for a short answer.
import type { Tried } from '@parley/schema/catalog/saved-providers';
import { parseJson } from '@parley/schema/json';
import type { Reason } from '@parley/schema/reasons';
import * as z from 'zod';
import { withDeadline } from '../../platform/deadline.ts';
import { Refusal } from '../../platform/errors.ts';
import { maskSecrets } from '../../platform/secrets.ts';
import { failureIn } from '../../providers/compatible/read-failure.ts';
import { reasonOfFailure } from '../../providers/failure.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import { reasonOfStatus } from '../../providers/status.ts';
import type { Endpoint } from '../endpoint.ts';
import { RefusedList } from '../fetch-models.ts';

interface TryDeps {
  userId: string;
  /** The first of the list when absent. */
  model?: string | undefined;
  /** The key, to keep it out of what the provider says. */
  secrets: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const QUESTION = 'Say hello in one short sentence.';
/** In characters. */
const ANSWER_MAX = 200;
const WORDS_MAX = 500;

export async function tryEndpoint(endpoint: Endpoint, deps: TryDeps): Promise<Tried> {
  const models = [...(await endpoint.models(deps.userId))];
  const failure = endpoint.failure();
  if (failure) {
    const { error } = failure;
    const words = error instanceof RefusedList ? wordsIn(error.text, deps.secrets) : null;
    return {
      ok: false,
      step: 'models',
      models: [],
      reason: withoutSecret(reasonOfList(error, endpoint.name), deps.secrets),
      words,
    };
  }
  const model = deps.model ?? models[0];
  if (model === undefined) return { ok: false, step: 'models', models, reason: NO_MODEL, words: null };
  const heard: { words: string | null } = { words: null };
  const began = performance.now();
  const ending = withDeadline(deps.timeoutMs, deps.signal);
  const onRefused = (body: string) => void (heard.words = wordsIn(body, deps.secrets));
  try {
    const text = await askShortly(endpoint, { model, userId: deps.userId }, ending, onRefused);
    return { ok: true, models, answer: { model, text, ms: Math.round(performance.now() - began) } };
  } catch (error) {
    const isLate = ending.aborted && deps.signal?.aborted !== true;
    const reason: Reason = isLate
      ? { type: 'provider_stalled', seconds: Math.round(deps.timeoutMs / 1000) }
      : reasonOfFailure(error, endpoint.name);
    return { ok: false, step: 'answer', models, reason: withoutSecret(reason, deps.secrets), words: heard.words };
  }
}

const NO_MODEL: Reason = { type: 'invalid_input', text: 'Name a model: this provider lists none.' };

/** The beginning of its answer: the call ends as soon as there is enough of it. */
async function askShortly(
  endpoint: Endpoint,
  { model, userId }: { model: string; userId: string },
  ending: AbortSignal,
  onRefused: (body: string) => void,
): Promise<string> {
  const target = listening(await endpoint.target(userId, model), onRefused);
  const call = { target, model, settings: {}, messages: [{ role: 'user' as const, content: QUESTION }], userId };
  let text = '';
  for await (const delta of endpoint.provider(call, ending)) {
    if (delta.type === 'text') text += delta.text;
    if (text.length >= ANSWER_MAX) break;
  }
  if (text === '') {
    ending.throwIfAborted();
    throw new Refusal({ type: 'empty_answer' });
  }
  return text.slice(0, ANSWER_MAX).toWellFormed();
}

/** The target, which tells what the provider answers to a call that it refuses. */
function listening(target: ProviderTarget, onRefused: (body: string) => void): ProviderTarget {
  const call = target.fetch ?? fetch;
  const heard: typeof fetch = async (input, init) => {
    const response = await call(input, init);
    if (!response.ok)
      onRefused(
        await response
          .clone()
          .text()
          .catch(() => ''),
      );
    return response;
  };
  return { ...target, fetch: heard };
}

/** Why a list was not fetched. */
export function reasonOfList(error: unknown, endpoint: string): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof RefusedList) {
    const { status, headers, text } = error;
    return reasonOfStatus({ status, headers, code: codeIn(text), text: sentenceIn(text) }, endpoint);
  }
  if (error instanceof z.ZodError || error instanceof SyntaxError) return { type: 'provider_malformed' };
  if (error instanceof Error && error.message === 'the list is empty') return { type: 'provider_malformed' };
  return { type: 'provider_unavailable', status: null };
}

/** The sentence of the provider in the body of its refusal, without the key. */
function wordsIn(body: string, secrets: readonly string[]): string | null {
  const words = maskSecrets(sentenceIn(body), secrets).slice(0, WORDS_MAX).toWellFormed().trim();
  return words === '' || words.startsWith('<') ? null : words;
}

export function sentenceIn(body: string): string {
  return failureIn(body).text;
}

const Codes = z.object({
  error: z.object({
    code: z.string().optional().catch(undefined),
    type: z.string().optional().catch(undefined),
    details: z.array(z.object({ reason: z.string().optional() })).catch([]),
  }),
});

/** The provider's own error code, as it names it. */
function codeIn(body: string): string | undefined {
  const told = Codes.safeParse(parseJson(body)).data?.error;
  return told?.details.find(({ reason }) => reason)?.reason ?? told?.code ?? told?.type;
}

function withoutSecret(reason: Reason, secrets: readonly string[]): Reason {
  if (!('text' in reason) || reason.text === undefined) return reason;
  return { ...reason, text: maskSecrets(reason.text, secrets) };
}
