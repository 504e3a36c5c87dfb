/** Claude's generations: which parameters each refuses, and when each thinks. */
import { refusedByClaudeFormat } from '../tools/refused-answers.ts';

const Generations = /^claude-(?:[a-z]+-)?(\d)(?:-(\d)(?!\d))?(?!\d)/;

export type Thinking = { type: string; budget_tokens?: number | undefined; display?: string | null | undefined };

/** The fields of a body that decide on reasoning and refusals. */
export type ClaudeRequest = {
  model: string;
  max_tokens: number;
  messages: { role: string }[];
  thinking?: Thinking | undefined;
  temperature?: number | undefined;
  top_p?: number | undefined;
  top_k?: number | undefined;
  output_config?: { effort?: string | undefined; format?: { schema: Record<string, unknown> } | undefined } | undefined;
  tool_choice?: { type: string } | undefined;
};

/**
 * The error for a body that the model refuses; undefined if it accepts it. Models with other names accept everything.
 */
export function refusedByClaude(request: ClaudeRequest): string | undefined {
  const generation = generationOf(request.model);
  if (generation === null) return undefined;
  const { max_tokens: most, thinking, temperature, top_p: topP, top_k: topK } = request;
  const limit = limitOf(request.model, generation);
  if (most > limit) return `max_tokens: ${most} > ${limit}, which is the maximum allowed number of output tokens.`;
  if (generation >= 4.7 && [temperature, topP, topK].some((value) => value !== undefined))
    return '`temperature`, `top_p` and `top_k` are deprecated for this model.';
  if (generation >= 4.1 && temperature !== undefined && topP !== undefined)
    return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.';
  if (generation >= 4.6 && request.messages.at(-1)?.role === 'assistant')
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  if (generation < 4.5 && request.output_config?.effort) return 'This model does not support the effort parameter.';
  const format = request.output_config?.format;
  if (format && generation < 4.5) return 'output_config.format: This model does not support structured outputs.';
  const refused = format && refusedByClaudeFormat(format.schema);
  if (refused) return refused;
  return (thinking && refusedThinking(thinking, generation, request)) ?? refusedForce(generation, request);
}

/** Models that always think cannot be made to call a tool, and others not while they think. */
function refusedForce(generation: number, { model, thinking, tool_choice: choice }: ClaudeRequest): string | undefined {
  if (choice?.type !== 'any' && choice?.type !== 'tool') return undefined;
  if (thinksAlways(model, generation)) return `tool_choice.type "${choice.type}" is not supported for this model.`;
  const isThinking = thinking ? thinking.type !== 'disabled' : generation >= 5;
  return isThinking ? 'Thinking may not be enabled when tool_choice forces tool use.' : undefined;
}

function thinksAlways(model: string, generation: number): boolean {
  return generation >= 5.5 || (model.includes('fable') && generation >= 5.1);
}

function refusedThinking({ type, budget_tokens: budget = 0 }: Thinking, generation: number, request: ClaudeRequest) {
  if (type === 'disabled') {
    const isTooMuch = generation >= 5 && ['xhigh', 'max'].includes(request.output_config?.effort ?? '');
    if (isTooMuch) return 'Thinking can be disabled only with an effort of `high` or below.';
    return thinksAlways(request.model, generation)
      ? '"thinking.type.disabled" is not supported for this model.'
      : undefined;
  }
  const isTaken = type === 'enabled' ? generation >= 3.7 && generation < 4.7 : type === 'adaptive' && generation >= 4.6;
  if (!isTaken) return `"thinking.type.${type}" is not supported for this model.`;
  if (type !== 'enabled') return undefined;
  if (budget < 1024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  if (budget >= request.max_tokens) return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  if (request.messages.at(-1)?.role === 'assistant') return 'When thinking is enabled, the final message is a user’s.';
  const isSampled = [request.temperature, request.top_p, request.top_k].some((value) => value !== undefined);
  return isSampled ? '`temperature` may only be set to 1 when thinking is enabled.' : undefined;
}

/** Whether it returns reasoning: later models only on request. */
export function showsReasoning({ model, thinking }: ClaudeRequest): boolean {
  const generation = generationOf(model) ?? 0;
  if (!thinking || thinking.type === 'disabled') return false;
  return generation < 4.7 || thinking.display === 'summarized';
}

const THOUGHT_TOKENS = 1500;

/** Whether thinking uses up the whole token limit. */
export function isSpentOnThinking({ model, max_tokens: most }: ClaudeRequest): boolean {
  return (generationOf(model) ?? 0) >= 5 && most <= THOUGHT_TOKENS;
}

function generationOf(model: string): number | null {
  const [, major, minor = '0'] = Generations.exec(model) ?? [];
  return major === undefined ? null : Number(`${major}.${minor}`);
}

function limitOf(model: string, generation: number): number {
  if (generation < 3.5) return 4096;
  if (generation < 3.7) return 8192;
  if (generation >= 4.6) return 128_000;
  return /opus-4-(?:1|2025)/.test(model) ? 32_000 : 64_000;
}
