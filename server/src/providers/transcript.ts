// For providers that keep conversations themselves: formats the turns they have not seen as one text.
import type { ChatMessage } from './provider.ts';

/** Turns under headings, in the format of Bing's own models. */
export function headedTranscript(messages: readonly ChatMessage[], systemMessage = ''): string {
  const system = systemMessage.trim() === '' ? [] : [`[system](#additional_instructions)\n${systemMessage}`];
  const turns = messages.map(({ role, content }) => `[${role}](#message)\n${content}`);
  return [...system, ...turns].join('\n\n');
}
