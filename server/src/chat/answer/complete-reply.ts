// The reply of a plugins conversation that does not skip the completion: its model writes it from the agent's answer.
import type { Settings } from '@parley/schema/catalog/params';
import { estimateTokens } from '../../catalog/count-tokens.ts';
import type { Delta } from '../../generation/delta.ts';
import { withoutSteps } from '../context/steps.ts';
import type { AgentRequest } from './run-agent.ts';

/** Says how the completion is asked. */
type Completion = Pick<AgentRequest, 'call' | 'provider' | 'meter' | 'firstPromptTokens'>;

/**
 * The agent's words become reasoning; then the completion is asked. An agent that waits, broke off or was refused has
 * no reply to complete.
 */
export async function* withCompletion(
  agent: AsyncIterable<Delta>,
  completion: Completion,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  let result = '';
  let isWhole = false;
  for await (const delta of agent) {
    if (delta.type === 'text') {
      result += delta.text;
      yield { type: 'reasoning', text: delta.text };
    } else if (delta.type === 'rewrite') result = delta.text;
    else if (delta.type === 'finish' && (delta.reason === 'stop' || delta.reason === 'length')) isWhole = true;
    else {
      if (delta.type === 'tool') result = '';
      yield delta;
    }
  }
  if (!isWhole || signal.aborted) return;
  yield { type: 'asking' };
  yield* complete(result.trim(), completion, signal);
}

function complete(result: string, { call, provider, meter, firstPromptTokens }: Completion, signal: AbortSignal) {
  const settings = withPrompt(call.settings, result);
  const asked = { ...call, settings, messages: withoutSteps(call.messages) };
  return meter.pass(
    (until) => provider(asked, until),
    () => firstPromptTokens + estimateTokens(result),
    signal,
  );
}

/** Puts the agent's answer into the instructions. */
function withPrompt(settings: Settings, result: string): Settings {
  const { promptPrefix } = settings;
  const own = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [promptPrefix] : [];
  return { ...settings, promptPrefix: [...own, completionPrompt(result)].join('\n\n') };
}

function completionPrompt(result: string): string {
  const shown =
    result === '' ? 'The tools gave no answer.' : `Preliminary answer, made with tools:\n"""\n${result}\n"""`;
  return `${shown}\n\nAnswer the question from it, in its language. Keep its facts, links and pictures, and do not mention that there was a preliminary answer.`;
}
