import { Menu } from '@mantine/core';
import type { Convo } from '@parley/schema/convos/convos';
import {
  IconArchive,
  IconDownload,
  IconGitFork,
  IconPencil,
  IconPrinter,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { ChatTotalRow } from '../../chat/answer-facts/chat-total-row.tsx';
import { printChat } from '../../chat/print-chat.ts';
import { useArchive } from '../../convos/actions/use-archive.ts';
import { useFork } from '../../convos/actions/use-fork.ts';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { boundKeys } from '../../layout/bound-keys.ts';
import { shownKeys } from '../../layout/shortcuts.ts';
import { useStartup } from '../../startup.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';

interface ConvoRowsProps {
  convo: Convo;
  /** The header has no button for it. */
  hasShare: boolean;
  onRename: () => void;
}

/** What can be done with the open conversation, in a menu. */
export function ConvoMenuRows({ convo, hasShare, onRename }: ConvoRowsProps) {
  const { t } = useTranslation();
  const archive = useArchive();
  const fork = useFork();
  const show = useShowDialog();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  return (
    <>
      <ChatTotalRow conversationId={convo.conversationId} />
      <MenuRow icon={IconPencil} onClick={onRename}>
        {t('com_ui_rename')}
      </MenuRow>
      <MenuRow icon={IconDownload} onClick={() => show({ name: 'export', conversationId: convo.conversationId })}>
        {t('com_nav_export_conversation')}
      </MenuRow>
      <PrintRow />
      {hasShare && canShare && (
        <MenuRow icon={IconShare} onClick={() => show({ name: 'share', conversationId: convo.conversationId })}>
          {t('com_share')}
        </MenuRow>
      )}
      <MenuRow icon={IconGitFork} onClick={() => void fork(convo)}>
        {t('com_ui_fork')}
      </MenuRow>
      <MenuRow icon={IconArchive} onClick={() => archive([convo], true)}>
        {t('com_ui_archive')}
      </MenuRow>
      <Menu.Divider />
      <MenuRow
        icon={IconTrash}
        keys={shownKeys(boundKeys('removeChat'), t)}
        onClick={() => show({ name: 'remove', convos: [convo] })}
      >
        {t('com_ui_delete')}
      </MenuRow>
    </>
  );
}

/** A temporary chat is printed, too. */
export function PrintRow() {
  const { t } = useTranslation();
  const store = useStore();
  return (
    <MenuRow icon={IconPrinter} keys={shownKeys(boundKeys('print'), t)} onClick={() => printChat(store)}>
      {t('com_print')}
    </MenuRow>
  );
}
