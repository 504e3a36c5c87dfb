import { ChatGptConvo } from '@parley/schema/transfer/chatgpt';
import { ClaudeConvo } from '@parley/schema/transfer/claude';
import { DeepSeekConvo } from '@parley/schema/transfer/deepseek';
import { ExportedConvo } from '@parley/schema/transfer/exported';
import { GeminiActivity } from '@parley/schema/transfer/gemini';
import { GrokExport } from '@parley/schema/transfer/grok';
import { OpenWebUiConvo } from '@parley/schema/transfer/open-webui';
import { BareChatbotUi, ChatbotUiExport, LobeExport, TypingMindExport } from '@parley/schema/transfer/role-chats';
import type { Slices } from '../platform/event-loop.ts';
import { readChatGpt } from './formats/chatgpt.ts';
import { readClaude } from './formats/claude.ts';
import { readDeepSeek } from './formats/deepseek.ts';
import { readExported } from './exported.ts';
import { readGemini } from './formats/gemini.ts';
import { readGrok } from './formats/grok.ts';
import { readLobeChat, readRoleChats } from './formats/role-chats.ts';
import { nothingStored, type StoredLinks } from './stored-links.ts';
import { readOpenWebUi } from './formats/open-webui.ts';
import type { SourceConvo } from './source.ts';

/**
 * Detects the format and reads the conversations of an object, which has many of them in the exports of some apps; null
 * for an unknown format. Each message is one unit of work. `stored` is what came with it.
 */
export async function readConvos(
  value: unknown,
  slices: Slices,
  stored: StoredLinks = nothingStored,
): Promise<SourceConvo[] | null> {
  const one = await readConvo(value, slices, stored);
  if (one) return [one];
  const grok = GrokExport.safeParse(value);
  if (grok.success) return readGrok(grok.data.conversations, slices, stored.file);
  const reading = { slices, keepPicture: stored.keepPicture };
  const lobeChat = LobeExport.safeParse(value);
  if (lobeChat.success) return readLobeChat(lobeChat.data, reading);
  const typingMind = TypingMindExport.safeParse(value);
  if (typingMind.success) return readRoleChats('typingmind', typingMind.data, reading);
  const chatbotUi = ChatbotUiExport.safeParse(value);
  if (!chatbotUi.success) return null;
  const { history: chats, folders } = chatbotUi.data;
  return readRoleChats('chatbot-ui', { chats, folders }, reading);
}

/** The same of an object that is one conversation. */
export async function readConvo(
  value: unknown,
  slices: Slices,
  stored: StoredLinks = nothingStored,
): Promise<SourceConvo | null> {
  const exported = ExportedConvo.safeParse(value);
  if (exported.success) return readExported(value, exported.data, slices, stored);
  const deepSeek = DeepSeekConvo.safeParse(value);
  if (deepSeek.success) return readDeepSeek(deepSeek.data, slices);
  const chatGpt = ChatGptConvo.safeParse(value);
  if (chatGpt.success) return readChatGpt(chatGpt.data, slices, stored.file);
  const claude = ClaudeConvo.safeParse(value);
  if (claude.success) return readClaude(claude.data, slices);
  const openWebUi = OpenWebUiConvo.safeParse(value);
  if (openWebUi.success) return readOpenWebUi(openWebUi.data, slices, stored.keepPicture);
  const gemini = GeminiActivity.safeParse(value);
  if (gemini.success) return readGemini(gemini.data);
  if (!BareChatbotUi.safeParse(value).success) return null;
  const reading = { slices, keepPicture: stored.keepPicture };
  const [chat] = await readRoleChats('chatbot-ui', { chats: [value], folders: [] }, reading);
  return chat ?? null;
}
