// For providers that keep conversations themselves: what was said elsewhere, told as one text.
import type { ChatMessage } from './provider.ts';

/** Turns under headings, as Bing's own models are shown them. */
export function transcriptOf(messages: readonly ChatMessage[], systemMessage = ''): string {
  const system = systemMessage.trim() === '' ? [] : [`[system](#additional_instructions)\n${systemMessage}`];
  const turns = messages.map(({ role, content }) => `[${role}](#message)\n${content}`);
  return [...system, ...turns].join('\n\n');
}
