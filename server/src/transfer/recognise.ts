import { ChatGptConvo } from '@parley/schema/transfer-chatgpt';
import { ExportedConvo } from '@parley/schema/transfer-exported';
import { readChatGpt } from './chatgpt.ts';
import { readExported } from './exported.ts';
import type { SourceConvo } from './source.ts';

/** A conversation of one of the kinds we know; null for anything else. */
export function readConvo(value: unknown): SourceConvo | null {
  const exported = ExportedConvo.safeParse(value);
  if (exported.success) return readExported(exported.data);
  const chatGpt = ChatGptConvo.safeParse(value);
  return chatGpt.success ? readChatGpt(chatGpt.data) : null;
}
