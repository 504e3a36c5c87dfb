// Tests of this room: tests/unit/web/prompts, tests/e2e/chat/prompts.test.ts.
import type { PromptHead } from '@parley/schema/prompts/prompt-rules';

/**
 * The prompts in which each typed word occurs, ignoring case: first the one whose command is typed, then those whose
 * command begins so, those with a word that does, and the others. What ranks alike keeps its order.
 */
export function findPrompts(prompts: readonly PromptHead[], query: string): PromptHead[] {
  const typed = query.trim().toLocaleLowerCase();
  if (typed === '') return [...prompts];
  const words = typed.split(/\s+/);
  return prompts
    .map((prompt) => ({ prompt, rank: rankOf(prompt, typed, words) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ prompt }) => prompt);
}

const NOT_FOUND = 4;

function rankOf({ command, title, tags }: PromptHead, typed: string, words: readonly string[]): number {
  if (command === typed) return 0;
  if (command.startsWith(typed)) return 1;
  const said = [command, title, ...tags].join(' ').toLocaleLowerCase();
  if (!words.every((word) => said.includes(word))) return NOT_FOUND;
  const parts = said.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 2 : 3;
}
