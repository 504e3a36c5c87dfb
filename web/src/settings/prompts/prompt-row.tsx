import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { IconCopyPlus, IconPencil, IconStar, IconStarFilled, IconTrash, IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useChangePrompts } from '../../prompts/use-prompts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './prompts.module.css';

/** A prompt of the list. One of another is kept as a copy instead of being changed. */
export function PromptRow({ prompt, onEdit }: { prompt: PromptHead; onEdit: () => void }) {
  const { t } = useTranslation();
  const { mark, share, remove } = useChangePrompts();
  const { ownerId, id, title, command, ownerName, isFavorite, isShared } = prompt;
  const isOwn = ownerName === null;
  return (
    <li className={classes.row}>
      <IconButton
        label={t('com_prompts_favourite', { 0: title })}
        aria-pressed={isFavorite}
        onClick={() => mark({ ownerId, id, isFavorite: !isFavorite })}
      >
        {isFavorite ? <IconStarFilled aria-hidden /> : <IconStar aria-hidden />}
      </IconButton>
      <div className={classes.names}>
        <bdi>{title}</bdi>
        <p className={classes.hint}>
          <bdi dir="ltr">/{command}</bdi>
          {!isOwn && ` · ${t('com_prompts_of', { 0: ownerName })}`}
          {isOwn && isShared && ` · ${t('com_prompts_shared')}`}
        </p>
      </div>
      <IconButton label={t(isOwn ? 'com_prompts_edit' : 'com_prompts_copy', { 0: title })} onClick={onEdit}>
        {isOwn ? <IconPencil aria-hidden /> : <IconCopyPlus aria-hidden />}
      </IconButton>
      {isOwn && (
        <>
          <IconButton
            label={t('com_prompts_share', { 0: title })}
            aria-pressed={isShared}
            onClick={() => share({ id, isShared: !isShared })}
          >
            <IconUsers aria-hidden />
          </IconButton>
          <IconButton label={t('com_prompts_delete', { 0: title })} onClick={() => remove({ id })}>
            <IconTrash aria-hidden />
          </IconButton>
        </>
      )}
    </li>
  );
}
