import type { PromptHead } from '@parley/schema/prompts/prompt-rules';

/** Whether each typed word occurs in its command, title or tags, ignoring case. */
export function matchesPrompt({ command, title, tags }: PromptHead, query: string): boolean {
  const said = [command, title, ...tags].join(' ').toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s/)
    .every((word) => said.includes(word));
}
