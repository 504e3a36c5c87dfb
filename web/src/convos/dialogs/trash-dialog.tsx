import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import type { TRASH_DAYS, Deletion } from '@parley/schema/convos/deletions';
import { IconMessage, IconMessages, IconBulb, IconQuote, IconRestore } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { BusyButton } from '../../ui/busy-button.tsx';
import { trpc } from '../../trpc.ts';
import { formatDate } from '../../lib/format-date.ts';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import classes from './list-dialog.module.css';
import { ListDialogBody } from './list-dialog-body.tsx';
import { useRestore } from '../actions/use-restore.ts';

const DAYS: typeof TRASH_DAYS = 7;
const PAGE = { limit: 50 };
const ICONS = {
  convos: IconMessages,
  message: IconMessage,
  branch: IconMessage,
  assistant: IconMessage,
  prompt: IconQuote,
  skill: IconBulb,
} as const satisfies Record<Deletion['kind'], unknown>;

/** What was deleted recently, newest first, to restore. */
export function TrashDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  const trash = useInfiniteQuery({
    queryKey: getQueryKey(trpc.convos.trash, PAGE, 'infinite'),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      client.convos.trash.query({ ...PAGE, cursor: pageParam }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    // The feed reports what leaves the lists, not what arrives here.
    staleTime: 0,
  });
  const deletions = trash.data?.pages.flatMap((page) => page.deletions) ?? [];
  return (
    <DialogFrame title={t('com_bin')} size="lg" onClose={onClose}>
      <p className={classes.hint}>{t('com_bin_hint', { count: DAYS })}</p>
      <ListDialogBody
        query={trash}
        count={deletions.length}
        empty={t('com_bin_empty')}
        next={<Button onClick={onClose}>{t('com_bin_leave')}</Button>}
      >
        {deletions.map((deletion) => (
          <TrashRow key={deletion.deletionId} deletion={deletion} />
        ))}
      </ListDialogBody>
    </DialogFrame>
  );
}

function TrashRow({ deletion }: { deletion: Deletion }) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const restore = useRestore();
  const [isRestoring, setRestoring] = useState(false);
  const { deletionId, label, deletedAt } = deletion;
  const isOfMessages = deletion.kind === 'message' || deletion.kind === 'branch';
  const Icon = ICONS[deletion.kind];
  const name = label || t(deletion.kind === 'assistant' ? 'com_bin_assistant' : 'com_ui_new_chat');

  async function bringBack(): Promise<void> {
    setRestoring(true);
    await restore(deletionId);
    await queries.invalidateQueries({ queryKey: getQueryKey(trpc.convos.trash) });
    if (deletion.kind === 'prompt') await queries.invalidateQueries({ queryKey: getQueryKey(trpc.prompts) });
    if (deletion.kind === 'skill') await queries.invalidateQueries({ queryKey: getQueryKey(trpc.skills) });
    setRestoring(false);
  }

  return (
    <li className={classes.row}>
      <Icon aria-hidden />
      <div className={classes.entry}>
        <span className={classes.name} dir="auto" data-tooltip={name} data-cut>
          {name}
        </span>
        <span className={classes.about}>
          {kindOf(deletion, t)} · {isOfMessages && <ConvoTitle title={deletion.title} />}
          {t('com_bin_deleted', { 0: formatDate(deletedAt, i18n.language) })}
        </span>
      </div>
      <BusyButton
        size="sm"
        aria-label={t('com_bin_restore_for', { 0: name })}
        isBusy={isRestoring}
        onClick={() => void bringBack()}
      >
        <IconRestore aria-hidden />
        {t('com_bin_restore')}
      </BusyButton>
    </li>
  );
}

/** The conversation that the deleted messages belong to. */
function ConvoTitle({ title }: Pick<Deletion, 'title'>) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{title ?? t('com_ui_new_chat')}</bdi>
      {' · '}
    </>
  );
}

function kindOf({ kind, count }: Deletion, t: TFunction): string {
  switch (kind) {
    case 'convos':
      return t('com_bin_convos', { count });
    case 'message':
    case 'branch':
      return t('com_bin_messages', { count });
    case 'assistant':
      return t('com_bin_assistant');
    case 'prompt':
      return t('com_bin_prompt');
    case 'skill':
      return t('com_bin_skill');
    default:
      return kind satisfies never;
  }
}
