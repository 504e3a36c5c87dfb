// Thinking parameters for Claude, by model generation.
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { claudeGeneration } from '@parley/schema/catalog/claude';
import { endpointParams } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { reasoningBudget } from '@parley/schema/catalog/windows';

type Asked = Pick<MessageCreateParams, 'thinking' | 'output_config'>;
type Effort = NonNullable<NonNullable<MessageCreateParams['output_config']>['effort']>;

/** Later models return empty reasoning unless a summary is requested. */
const ADAPTIVE = { type: 'adaptive', display: 'summarized' } as const;

/** The thinking parameters of a request; empty for none. */
export function thinkingFor(model: string, settings: Settings): Asked {
  const { thinkingBudget, reasoning_effort } = endpointParams('anthropic', model);
  const budget = thinkingBudget ? reasoningBudget(settings) : 0;
  if (budget > 0) return { thinking: { type: 'enabled', budget_tokens: budget } };
  const effort = reasoning_effort && settings.reasoning_effort;
  if (effort !== undefined) return { thinking: ADAPTIVE, output_config: { effort: effort as Effort } };
  return thinksByItself(model) ? { thinking: ADAPTIVE } : {};
}

/** Tokens reserved for reasoning before a title or a summary: it counts towards the answer's limit. */
const THOUGHT_TOKENS = 4096;

/** Token limit and effort for a short call: no model thinks longer than it must. */
export function briefReply(model: string, maxTokens: number): Asked & { max_tokens: number } {
  if (!thinksByItself(model)) return { max_tokens: maxTokens };
  return { max_tokens: maxTokens + THOUGHT_TOKENS, output_config: { effort: 'low' } };
}

/**
 * The same without thinking, which Claude refuses where it must call a tool. Models that think by themselves need to be
 * told, and take no effort above `high` then.
 */
export function withoutThinking<More extends object>(model: string, given: Asked & More): Asked & More {
  const asked = { ...given };
  delete asked.thinking;
  if (!thinksByItself(model)) return asked;
  const { effort } = asked.output_config ?? {};
  const isTooMuch = effort === 'xhigh' || effort === 'max';
  return {
    ...asked,
    thinking: { type: 'disabled' },
    ...(isTooMuch && { output_config: { ...asked.output_config, effort: 'high' } }),
  };
}

/**
 * Whether it can be made to call a tool: from 5.5 on Claude refuses that, and so do the later models named Fable.
 * https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5
 */
export function takesForcedCalls(model: string): boolean {
  return (claudeGeneration(model) ?? 0) < (/fable|mythos/.test(model) ? 5.1 : 5.5);
}

function thinksByItself(model: string): boolean {
  return endpointParams('anthropic', model).reasoning_effort?.default === 'auto';
}
