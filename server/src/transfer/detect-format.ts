import { ChatGptConvo } from '@parley/schema/transfer/chatgpt';
import { ClaudeConvo } from '@parley/schema/transfer/claude';
import { ExportedConvo } from '@parley/schema/transfer/exported';
import { OpenWebUiConvo } from '@parley/schema/transfer/open-webui';
import type { Slices } from '../platform/event-loop.ts';
import { readChatGpt } from './formats/chatgpt.ts';
import { readClaude } from './formats/claude.ts';
import { readExported } from './exported.ts';
import type { StoredLinks } from './stored-links.ts';
import { readOpenWebUi } from './formats/open-webui.ts';
import type { SourceConvo } from './source.ts';

/**
 * Detects the format and reads a conversation; null for an unknown format. Each message is one unit of work. `kept`
 * is what came with it.
 */
export async function readConvo(value: unknown, slices: Slices, stored?: StoredLinks): Promise<SourceConvo | null> {
  const exported = ExportedConvo.safeParse(value);
  if (exported.success) return readExported(value, exported.data, slices, stored);
  const chatGpt = ChatGptConvo.safeParse(value);
  if (chatGpt.success) return readChatGpt(chatGpt.data, slices, stored?.file);
  const claude = ClaudeConvo.safeParse(value);
  if (claude.success) return readClaude(claude.data, slices);
  const openWebUi = OpenWebUiConvo.safeParse(value);
  return openWebUi.success ? readOpenWebUi(openWebUi.data, slices) : null;
}
