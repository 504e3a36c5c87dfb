// Tests of this room: tests/unit/schema.

// The parameters that each generation of Claude takes, by model name. Sources: Anthropic's pages on models, thinking
// and effort.
import { capped, scale, withParams, type Params } from './params.ts';

/** 4.1 of `claude-opus-4-1-20250805` and of `anthropic/claude-opus-4.1`; null for a name without a generation. */
export function claudeGeneration(model: string): number | null {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?(\d)(?:[.-](\d)(?!\d))?(?!\d)/.exec(model) ?? [];
  return major === undefined ? null : Number(`${major}.${minor}`);
}

/** What models of one generation take, up to the next one. */
interface Generation {
  from: number;
  /** Only models with this word in their names. */
  family?: string;
  /** The longest reply in tokens, reasoning included; absent: the table's. */
  maxOutputTokens?: number;
  /** The most tokens of reasoning that one can ask for. */
  thinking?: number;
  /** Of models whose reasoning has no bound; the first is the default. */
  efforts?: readonly [string, ...string[]];
  /** Takes a temperature, top P and top K. */
  sampling: boolean;
}

/** The newest first. Models without a bound reason only on request (`none`) or decide themselves (`auto`). */
const GENERATIONS: readonly Generation[] = [
  { from: 5, maxOutputTokens: 128_000, efforts: ['auto', 'low', 'medium', 'high', 'xhigh', 'max'], sampling: false },
  { from: 4.7, maxOutputTokens: 128_000, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], sampling: false },
  { from: 4.6, maxOutputTokens: 128_000, efforts: ['none', 'low', 'medium', 'high', 'max'], sampling: true },
  { from: 4.5, maxOutputTokens: 64_000, thinking: 32_768, sampling: true },
  { from: 3.7, family: 'opus', maxOutputTokens: 32_000, thinking: 16_384, sampling: true },
  { from: 3.7, maxOutputTokens: 64_000, thinking: 32_768, sampling: true },
  { from: 3.5, maxOutputTokens: 8192, sampling: true },
];

/** The parameters of the table as one model accepts them; an unknown name gets those of the table without reasoning. */
export function claudeParams(params: Params, model: string): Params {
  const generation = claudeGeneration(model) ?? 0;
  const { maxOutputTokens, thinking, efforts, sampling }: Generation = GENERATIONS.find(
    ({ from, family = '' }) => generation >= from && model.includes(family),
  ) ?? { from: 0, sampling: true };
  return withParams(params, {
    ...(!sampling && { temperature: null, topP: null, topK: null }),
    // Unbounded reasoning leaves less room for the reply.
    ...(maxOutputTokens && { maxOutputTokens: capped(1, maxOutputTokens, 1, efforts ? 16_384 : 8192) }),
    thinkingBudget: thinking ? capped(0, thinking, 1024, 0) : null,
    reasoning_effort: efforts ? scale(efforts, efforts[0]) : null,
  });
}
