import { IconFile, IconFiles, IconMessage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAttach } from '../chat/attachments/use-attach.ts';
import type { Chat } from '../chat/use-chat.ts';
import { formatBytes } from '../files/format-bytes.ts';
import { useFiles } from '../files/files-api.ts';
import { useFileSets } from '../library/use-file-sets.ts';
import { usePaletteConvos } from '../palette/use-palette-convos.ts';
import type { PaletteEntry, PaletteGroup } from '../palette/palette-entry.ts';
import { useAttachStored } from '../side-panel/use-attach-stored.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { buildTree } from '@parley/schema/messages/tree';
import { shownPath } from '../chat/cache/branches.ts';
import { api } from '../trpc.ts';

/** Characters: what the longest questions have, too. Of a longer chat the newest messages go along. */
const TEXT_MAX = 400_000;

/** In the list of suggestions, where chats follow. */
const FILES_MAX = 6;

/** `#`: a file or a set of files of the person, or an earlier chat as a text that goes along with the question. */
export function useContextSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
  const { t } = useTranslation();
  const { isOffered } = useAttach(chat);
  const { entries: files } = useFileEntries(chat, query, takeOut);
  const sets = useSetEntries(chat, query, takeOut);
  const { entries: chats } = useChatEntries(chat, query, takeOut);
  return isOffered
    ? [
        { name: t('com_composer_files'), entries: files.slice(0, FILES_MAX) },
        { name: t('com_composer_sets'), entries: sets },
        { name: t('com_composer_chats'), entries: chats },
      ]
    : [];
}

/** What can go along; each entry calls `begin` before anything else. */
export interface ContextEntries {
  entries: PaletteEntry[];
  isLoading: boolean;
}

/** The person's files with these letters in their names. */
export function useFileEntries(chat: Chat, query: string, begin: () => void): ContextEntries {
  const { i18n } = useTranslation();
  const { data: files } = useFiles();
  const attachStored = useAttachStored(chat);
  const wanted = query.toLocaleLowerCase();
  const found = attachStored ? (files ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(wanted)) : [];
  const entries = found.map((file) => ({
    id: file.fileId,
    Icon: IconFile,
    label: file.name,
    hint: formatBytes(file.bytes, i18n.language),
    run() {
      begin();
      attachStored?.(file);
    },
  }));
  return { entries, isLoading: !files };
}

/** The person's sets of files with these letters in their names; each attaches the files it has. */
function useSetEntries(chat: Chat, query: string, begin: () => void): PaletteEntry[] {
  const { t } = useTranslation();
  const { data: files = [] } = useFiles();
  const attachStored = useAttachStored(chat);
  const wanted = query.toLocaleLowerCase();
  const found = useFileSets().filter(
    ({ name, fileIds }) => fileIds.length > 0 && name.toLocaleLowerCase().includes(wanted),
  );
  if (!attachStored) return [];
  return found.map(({ id, name, fileIds }) => ({
    id,
    Icon: IconFiles,
    label: name,
    hint: t('com_composer_set_files', { count: fileIds.length }),
    run() {
      begin();
      for (const file of files) if (fileIds.includes(file.fileId)) attachStored(file);
    },
  }));
}

/** The latest chats, or those that match; an entry takes the chat along as a text. */
export function useChatEntries(chat: Chat, query: string, begin: () => void): ContextEntries {
  const showError = useShowError();
  const { attach } = useAttach(chat);
  const { groups, isSearching } = usePaletteConvos(query, () => undefined);
  // The first group has conversations, the second messages.
  const convos = (groups[0]?.entries ?? []).filter(({ id }) => id !== chat.slot.conversationId);
  const entries = convos.map((entry) => ({
    ...entry,
    Icon: IconMessage,
    run() {
      begin();
      void attachChat(entry);
    },
  }));
  return { entries, isLoading: isSearching };

  async function attachChat({ id, label }: PaletteEntry): Promise<void> {
    try {
      attach([await chatAsFile(id, typeof label === 'string' ? label : '')]);
    } catch (error) {
      showError(error);
    }
  }
}

// An earlier chat as a text file, which goes along with a question.

/** The newest branch of a conversation as Markdown. */
async function chatAsFile(conversationId: string, title: string): Promise<File> {
  const messages = await api.messages.list.query({ conversationId });
  const tree = buildTree(messages.map((message) => ({ ...message, size: 0, version: 0 })));
  const path = shownPath(tree, {}).flatMap(({ messageId }) => tree.byId.get(messageId) ?? []);
  const text = path.map(paragraphOf).join('\n').slice(-TEXT_MAX);
  return new File([`# ${title}\n\n${text}`], `${title.replaceAll(/[/\\:]+/g, ' ')}.md`, { type: 'text/markdown' });
}

function paragraphOf(message: Message): string {
  return `**${message.sender}:**\n\n${messageText(message)}\n`;
}
