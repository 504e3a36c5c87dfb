// How Claude is made to think, by what its generation takes.
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { paramsOf } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { budgetOf } from '@parley/schema/windows';

type Asked = Pick<MessageCreateParams, 'thinking' | 'output_config'>;
type Effort = NonNullable<MessageCreateParams['output_config']>['effort'];

/** Later models give their thoughts out empty unless they are asked for them. */
const ADAPTIVE = { type: 'adaptive', display: 'summarized' } as const;

/** What is asked of the thoughts before an answer; nothing where there are to be none. */
export function thinkingFor(model: string, settings: Settings): Asked {
  const { thinkingBudget, reasoning_effort } = paramsOf('anthropic', model);
  const budget = thinkingBudget ? budgetOf(settings) : 0;
  if (budget > 0) return { thinking: { type: 'enabled', budget_tokens: budget } };
  const effort = reasoning_effort && settings.reasoning_effort;
  if (effort !== undefined) return { thinking: ADAPTIVE, output_config: { effort: effort as Effort } };
  return thinksByItself(model) ? { thinking: ADAPTIVE } : {};
}

/** What goes to thoughts before the first word of a title or a summary, in tokens: they count as part of it. */
const THOUGHT_TOKENS = 4096;

/** The room and the haste of a call whose answer has a bound of its own: no model thinks longer than it must. */
export function briefly(model: string, maxTokens: number): Asked & { max_tokens: number } {
  if (!thinksByItself(model)) return { max_tokens: maxTokens };
  return { max_tokens: maxTokens + THOUGHT_TOKENS, output_config: { effort: 'low' } };
}

function thinksByItself(model: string): boolean {
  return paramsOf('anthropic', model).reasoning_effort?.default === 'auto';
}
