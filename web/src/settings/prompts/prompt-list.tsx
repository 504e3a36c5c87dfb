import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import {
  IconFileExport,
  IconPlus,
  IconCopyPlus,
  IconPencil,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { saveFile } from '../../lib/save-file.ts';
import { findPrompts } from '../../prompts/find-prompts.ts';
import { promptFile, readPromptFile } from '../../prompts/prompt-file.ts';
import { useChangePrompts } from '../../prompts/use-prompts.ts';
import { api } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './prompts.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

interface PromptListProps {
  prompts: readonly PromptHead[];
  onEdit: (prompt: PromptHead) => void;
  onAdd: () => void;
}

/** More than so many are searched. */
const SEARCH_ABOVE = 7;

export function PromptList({ prompts, onEdit, onAdd }: PromptListProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const found = findPrompts(prompts, query);
  const own = prompts.filter(({ ownerName }) => ownerName === null);
  return (
    <>
      <p className={classes.note}>{t('com_prompts_hint')}</p>
      <div className={classes.tools}>
        <Button ref={focusIfLost} size="sm" variant="filled" onClick={onAdd}>
          <IconPlus aria-hidden />
          {t('com_prompts_new')}
        </Button>
        <ImportButton />
        {own.length > 0 && <ExportButton own={own} />}
      </div>
      {prompts.length > SEARCH_ABOVE && (
        <SearchField
          type="search"
          placeholder={t('com_prompts_search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {prompts.length === 0 && <p className={classes.note}>{t('com_prompts_none')}</p>}
      {prompts.length > 0 && found.length === 0 && <p className={classes.note}>{t('com_ui_nothing_found')}</p>}
      <ul>
        {found.map((prompt) => (
          <PromptRow key={`${prompt.ownerId} ${prompt.id}`} prompt={prompt} onEdit={() => onEdit(prompt)} />
        ))}
      </ul>
    </>
  );
}

/** Of more than so many that were left out the others are counted by an ellipsis. */
const NAMED_MAX = 5;

function ImportButton() {
  const { t, i18n } = useTranslation();
  const { add } = useChangePrompts();
  async function read(file: File): Promise<void> {
    const content = await readPromptFile(file).catch(() => null);
    if (!content) return void showToast({ message: t('com_prompts_import_failed'), severity: 'error' });
    const { prompts, refused } = content;
    const count = prompts.length > 0 ? await add({ prompts }).catch(() => null) : 0;
    if (count === null) return;
    if (count > 0) showToast({ message: t('com_prompts_imported', { count }), severity: 'success' });
    if (refused.length === 0) return;
    const names = [
      ...refused.slice(0, NAMED_MAX).map((name) => `\u2068${name}\u2069`),
      ...(refused.length > NAMED_MAX ? ['…'] : []),
    ];
    const listed = new Intl.ListFormat(i18n.language, { type: 'unit' }).format(names);
    showToast({ message: t('com_prompts_import_left_out', { 0: listed }), severity: 'warning', duration: 10_000 });
  }
  return <FileButton size="sm" label={t('com_prompts_import')} accept=".json" onFile={(file) => void read(file)} />;
}

function ExportButton({ own }: { own: readonly PromptHead[] }) {
  const { t } = useTranslation();
  async function save(): Promise<void> {
    const read = own.map(({ ownerId, id }) => api.prompts.read.query({ ownerId, id }));
    const prompts = await Promise.all(read).catch(() => null);
    if (prompts) saveFile(promptFile(prompts), 'prompts.json');
    else showToast({ message: t('com_prompts_export_failed'), severity: 'error' });
  }
  return (
    <Button size="sm" onClick={() => void save()}>
      <IconFileExport aria-hidden />
      {t('com_prompts_export')}
    </Button>
  );
}

/** A prompt of the list. One of another is kept as a copy instead of being changed. */
function PromptRow({ prompt, onEdit }: { prompt: PromptHead; onEdit: () => void }) {
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
      <div className={classes.actions}>
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
      </div>
    </li>
  );
}
