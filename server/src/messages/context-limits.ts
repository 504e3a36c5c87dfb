// What a model's context window has room for, before any message is put into it.
import type { EndpointType } from '@parley/schema/endpoints';
import type { Example, Settings } from '@parley/schema/params';
import { instructionsOfBing } from '../endpoints/bing-ai/request.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ModelFacts } from '../endpoints/models.ts';
import { replyReserveOf, windowOf } from '@parley/schema/windows';

export interface ContextLimits {
  /** The context window in tokens. */
  window: number;
  /** Kept free for the answer, in tokens. */
  reserve: number;
  /** What is sent along with any question; empty when there is nothing. */
  instructions: string;
  /** Whether a summary stands in for what does not fit. */
  summarises: boolean;
  /** Whether the wire drops answers that stand before the first question. */
  opensWithQuestion: boolean;
}

/** The one place that says how much of a conversation a model may be shown. */
export function contextLimitsOf(
  endpoint: Endpoint,
  model: string,
  settings: Settings,
  facts: ModelFacts,
): ContextLimits {
  const window = windowOf(model, facts.window);
  return {
    window,
    // A small window must have room for a question, too.
    reserve: Math.min(replyReserveOf(endpoint.type, model, settings), Math.floor(window / 2)),
    instructions: instructionsOf(endpoint.type, model, settings),
    summarises: endpoint.summaries?.enabled ?? false,
    opensWithQuestion: endpoint.type === 'anthropic' || endpoint.type === 'google',
  };
}

function instructionsOf(type: EndpointType, model: string, settings: Settings): string {
  const { promptPrefix, examples } = settings;
  const prompt = typeof promptPrefix === 'string' ? [promptPrefix.trim()] : [];
  // Of Google's models only these are taught by examples.
  const isTaught = type === 'google' && model.startsWith('chat-');
  const taught = isTaught && Array.isArray(examples) ? (examples as Example[]).flatMap(textsOf) : [];
  const told = type === 'bingAI' ? instructionsOfBing({ model, settings }) : [];
  return [...prompt, ...taught, ...told].filter((text) => text.trim() !== '').join('\n');
}

function textsOf({ input, output }: Example): string[] {
  return [input.content, output.content];
}
