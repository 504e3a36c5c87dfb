// The parameters that each generation of Claude takes, by model name. Sources: Anthropic's pages on models, thinking
// and effort.
import { capped, scale, withParams, type Params } from './params.ts';

/** 4.1 of `claude-opus-4-1-20250805` and of `anthropic/claude-opus-4.1`; null for a name without a generation. */
export function claudeGeneration(model: string): number | null {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d)(?:[.-](\d)(?!\d))?(?!\d)/.exec(model) ?? [];
  return major === undefined ? null : Number(`${major}.${minor}`);
}

/**
 * The parameters of the table as one model accepts them; an unknown name gets those of the table. Models with
 * bounded reasoning have a token budget. Models that decide themselves have an effort: `none` by default where they
 * reason only on request, `auto` where they always do.
 */
export function claudeParams(params: Params, model: string): Params {
  const generation = claudeGeneration(model) ?? 0;
  if (generation < 3.5) return withParams(params, { thinkingBudget: null, reasoning_effort: null });
  const most = mostOf(model, generation);
  const unasked = generation < 5 ? 'none' : 'auto';
  const efforts = [unasked, 'low', 'medium', 'high', ...(generation > 4.6 ? ['xhigh'] : []), 'max'];
  const isFree = generation >= 4.6;
  return withParams(params, {
    ...(generation > 4.6 && { temperature: null, topP: null, topK: null }),
    // Unbounded reasoning leaves less room for the reply.
    maxOutputTokens: capped(1, most, 1, isFree ? 16_384 : 8192),
    thinkingBudget: isFree || generation < 3.7 ? null : capped(0, most > 32_000 ? 32_768 : 16_384, 1024, 0),
    reasoning_effort: isFree ? scale(efforts, unasked) : null,
  });
}

/** The longest reply in tokens, reasoning included. */
function mostOf(model: string, generation: number): number {
  if (generation < 3.7) return 8192;
  if (generation >= 4.6) return 128_000;
  return model.includes('opus') && generation < 4.5 ? 32_000 : 64_000;
}
