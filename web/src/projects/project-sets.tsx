import { FOLDER_SETS_MAX } from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { IconFiles, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { useChangeFolders } from '../folders/use-folders.ts';
import page from '../layout/page/page.module.css';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './projects.module.css';

interface ProjectSetsProps {
  folder: Folder;
  /** Stands before the field that adds a set. */
  children: ReactNode;
}

/** The sets of files of a project, whose files of the moment answer in it; one is added or taken out at once. */
export function ProjectSets({ folder: { id, setIds }, children }: ProjectSetsProps) {
  const { t } = useTranslation();
  const { update } = useChangeFolders();
  const list = trpc.files.sets.list.useQuery(undefined, { staleTime: Infinity });
  const [isSaving, setSaving] = useState(false);
  const below = useRef<HTMLDivElement>(null);
  const hasChanged = useRef(false);
  // The row of a set that goes takes the focus with it, and so does the field once no set is left to add.
  useEffect(() => {
    if (!hasChanged.current) return;
    hasChanged.current = false;
    const field = below.current?.querySelector<HTMLElement>('select, [role="combobox"]');
    focusIfLost(field ?? below.current?.querySelector('button') ?? null);
  }, [setIds]);
  const sets = list.data ?? [];
  const chosen = sets.filter((set) => setIds.includes(set.id));
  const offered = sets.filter((set) => !setIds.includes(set.id));

  /** One at a time, each of what is stored by then; a toast has told what failed. */
  function save(next: readonly string[]): void {
    if (isSaving) return;
    setSaving(true);
    hasChanged.current = true;
    void update({ id, setIds: [...next] })
      .catch(() => {})
      .finally(() => setSaving(false));
  }

  return (
    <>
      {setIds.length > 0 && list.isPending && <SkeletonRows count={1} />}
      {list.error && (
        <p className={page.note} role="alert">
          {describeError(list.error, t)}{' '}
          <Button size="sm" variant="subtle" onClick={() => void list.refetch()}>
            {t('com_ui_retry')}
          </Button>
        </p>
      )}
      {chosen.length > 0 && (
        <ul className={classes.files} aria-label={t('com_project_sets')}>
          {chosen.map(({ id: setId, name, fileIds }) => (
            <li key={setId} className={classes.file}>
              <IconFiles className={classes.rowIcon} aria-hidden />
              <span className={classes.fileName} dir="auto" data-tooltip={name} data-cut>
                {name}
              </span>
              <span className={classes.fileFact}>{t('com_composer_set_files', { count: fileIds.length })}</span>
              <IconButton
                label={t('com_project_set_remove', { 0: name })}
                onClick={() => save(setIds.filter((one) => one !== setId))}
              >
                <IconX aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div ref={below} className={classes.addFiles}>
        {children}
        {offered.length > 0 && (
          <SelectField
            aria-label={t('com_project_set_add')}
            placeholder={t('com_project_set_add')}
            disabled={setIds.length >= FOLDER_SETS_MAX}
            value={null}
            options={offered.map(({ id: value, name }) => ({ value, label: name }))}
            onChange={(setId) => save([...setIds, setId])}
          />
        )}
      </div>
    </>
  );
}
