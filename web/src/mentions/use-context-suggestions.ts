import { IconFile, IconMessage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAttach } from '../chat/attachments/use-attach.ts';
import type { Chat } from '../chat/use-chat.ts';
import { formatBytes } from '../files/format-bytes.ts';
import { useFiles } from '../files/files-api.ts';
import { usePaletteConvos } from '../palette/use-palette-convos.ts';
import type { PaletteEntry, PaletteGroup } from '../palette/palette-entry.ts';
import { useAttachStored } from '../side-panel/use-attach-stored.ts';
import { showToast } from '../ui/toast/toast.ts';
import { describeError } from '../errors/describe-error.ts';
import { chatAsFile } from './chat-as-file.ts';

const FILES_MAX = 6;

/** `#`: a file of the person, or an earlier chat as a text that goes along with the question. */
export function useContextSuggestions(chat: Chat, query: string, takeOut: () => void): PaletteGroup[] {
  const { t, i18n } = useTranslation();
  const { data: files = [] } = useFiles();
  const attachStored = useAttachStored(chat);
  const { isOffered, attach } = useAttach(chat);
  const { groups } = usePaletteConvos(query, () => undefined);
  const wanted = query.toLocaleLowerCase();

  const ofFiles = files
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .slice(0, FILES_MAX)
    .map((file): PaletteEntry => ({
      id: file.fileId,
      Icon: IconFile,
      label: file.name,
      hint: formatBytes(file.bytes, i18n.language),
      run() {
        takeOut();
        attachStored?.(file);
      },
    }));
  // The first group has conversations, the second messages.
  const convos = (groups[0]?.entries ?? []).filter(({ id }) => id !== chat.slot.conversationId);
  const ofChats = convos.map((entry): PaletteEntry => ({
    ...entry,
    Icon: IconMessage,
    run() {
      takeOut();
      void attachChat(entry);
    },
  }));
  return isOffered
    ? [
        { name: t('com_composer_files'), entries: attachStored ? ofFiles : [] },
        { name: t('com_composer_chats'), entries: ofChats },
      ]
    : [];

  async function attachChat({ id, label }: PaletteEntry): Promise<void> {
    try {
      attach([await chatAsFile(id, typeof label === 'string' ? label : '')]);
    } catch (error) {
      showToast({ message: describeError(error, t), severity: 'error' });
    }
  }
}
