import type { Slices } from '../platform/slices.ts';
import { ChatGptConvo } from '@parley/schema/transfer/chatgpt';
import { ExportedConvo } from '@parley/schema/transfer/exported';
import { readChatGpt } from './chatgpt.ts';
import { readExported } from './exported.ts';
import type { SourceConvo } from './source.ts';

/** Detects the format and reads a conversation; null for an unknown format. Each message is one unit of work. */
export async function readConvo(value: unknown, slices: Slices): Promise<SourceConvo | null> {
  const exported = ExportedConvo.safeParse(value);
  if (exported.success) return readExported(exported.data, slices);
  const chatGpt = ChatGptConvo.safeParse(value);
  return chatGpt.success ? readChatGpt(chatGpt.data, slices) : null;
}
