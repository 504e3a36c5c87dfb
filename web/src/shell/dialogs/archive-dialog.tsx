import '../../palette/lazy-words.ts';
import '@mantine/core/styles/Button.css';
import { Button } from '@mantine/core';
import type { Convo } from '@parley/schema/convos';
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { dateOf } from '../convos/date-of.ts';
import { DialogFrame } from './dialog-frame.tsx';
import classes from './list-dialog.module.css';
import { ListDialogBody } from './list-dialog-body.tsx';
import { useArchive } from '../convos/use-archive.ts';
import { useArchivedConvos } from '../convos/use-convos.ts';

/** The archived conversations, newest first, to be opened or brought back. */
export function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { convos, list } = useArchivedConvos();
  return (
    <DialogFrame title={t('com_archive')} size="lg" onClose={onClose}>
      <p className={classes.hint}>{t('com_archive_hint')}</p>
      <ListDialogBody query={list} count={convos.length} empty={t('com_archive_empty')}>
        {convos.map((convo) => (
          <ArchiveRow key={convo.conversationId} convo={convo} onOpen={onClose} />
        ))}
      </ListDialogBody>
    </DialogFrame>
  );
}

function ArchiveRow({ convo, onOpen }: { convo: Convo; onOpen: () => void }) {
  const { t, i18n } = useTranslation();
  const archive = useArchive();
  const title = convo.title ?? t('com_ui_new_chat');
  return (
    <li className={classes.row}>
      <IconArchive aria-hidden />
      <div className={classes.what}>
        <Link href={`/c/${convo.conversationId}`} className={classes.name} dir="auto" title={title} onClick={onOpen}>
          {title}
        </Link>
        <span className={classes.about}>{dateOf(convo.updatedAt, i18n.language)}</span>
      </div>
      <Button
        variant="default"
        size="compact-md"
        className={classes.act}
        leftSection={<IconArchiveOff size={16} stroke={1.6} aria-hidden />}
        aria-label={t('com_archive_leave_for', { 0: title })}
        onClick={() => archive([convo], false)}
      >
        {t('com_archive_leave')}
      </Button>
    </li>
  );
}
