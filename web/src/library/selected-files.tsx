import type { StoredFile, UseCounts } from '@parley/schema/files/stored-file';
import { SET_FILES_MAX } from '@parley/schema/files/set-rules';
import { Menu } from '@mantine/core';
import { IconFolderPlus, IconPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/button.tsx';
import { MenuRow } from '../ui/menu/menu-row.tsx';
import { useMenu } from '../ui/menu/use-menu.ts';
import { showToast } from '../ui/toast/toast.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { removeFiles, useUseCounts } from '../files/files-api.ts';
import classes from './files-table.module.css';
import { SetNameForm } from './set-name-form.tsx';
import type { FileGroup } from '../files/table/use-file-search.ts';
import { useChangeSets } from './use-file-sets.ts';

interface SelectedFilesProps {
  files: readonly StoredFile[];
  /** How many of them are on other pages of the table. */
  elsewhere: number;
  groups: readonly FileGroup[];
  /** What the table is narrowed down to. */
  group: FileGroup | null;
  onRemoved: () => void;
}

/** How many files are selected, what uses them, and what can be done with them. */
export function SelectedFiles({ files, elsewhere, groups, group, onRemoved }: SelectedFilesProps) {
  const { t } = useTranslation();
  const showError = useShowError();
  const ids = files.map(({ fileId }) => fileId);
  const uses = describeUses(useUseCounts(ids), t);
  const count = files.length;

  async function remove(): Promise<void> {
    try {
      await removeFiles(ids);
      onRemoved();
      showToast({ message: t('com_files_deleted'), severity: 'success' });
    } catch (error) {
      showError(error);
    }
  }

  return (
    <div className={classes.selection}>
      <span role="status">
        {count > 0 && t('com_files_selected', { 0: count })}
        {elsewhere > 0 && ` · ${t('com_files_selected_elsewhere', { 0: elsewhere })}`}
        {uses !== '' && ` · ${t('com_files_used_in', { 0: uses })}`}
      </span>
      {count > 0 && (
        <>
          <SetActions ids={ids} groups={groups} group={group} />
          <TwoClickButton
            label={t('com_files_delete')}
            confirm={t('com_files_delete_question')}
            testId="delete-files"
            run={remove}
          />
        </>
      )}
    </div>
  );
}

/** What will lose the files, such as "3 chats, 1 assistant"; empty for nothing. */
function describeUses(counts: UseCounts | null, t: TFunction): string {
  if (!counts) return '';
  const kinds = ['chats', 'folders', 'assistants', 'sets', 'skills'] as const;
  return kinds
    .flatMap((kind) => (counts[kind] > 0 ? [t(`com_files_uses_${kind}`, { count: counts[kind] })] : []))
    .join(', ');
}

interface SetActionsProps extends Pick<SelectedFilesProps, 'groups' | 'group'> {
  ids: readonly string[];
}

/** Puts files into a set, or takes them out of the one that is shown. */
function SetActions({ ids, groups, group }: SetActionsProps) {
  const { t } = useTranslation();
  const { save } = useChangeSets();
  const [isNaming, setNaming] = useState(false);
  const [isMenuWanted, setMenuWanted] = useState(false);
  const shown = group?.kind === 'set' ? group : null;

  async function put(set: Pick<FileGroup, 'id' | 'name' | 'fileIds'>): Promise<boolean> {
    const fileIds = [...new Set([...set.fileIds, ...ids])];
    if (fileIds.length > SET_FILES_MAX) {
      showToast({ message: t('com_files_set_full', { 0: SET_FILES_MAX }), severity: 'error' });
      return false;
    }
    const isDone = await save({ id: set.id, name: set.name, fileIds });
    if (isDone) showToast({ message: t('com_files_set_added', { 0: set.name }), severity: 'success' });
    return isDone;
  }

  if (isNaming)
    return (
      <SetNameForm
        name=""
        onSave={(name) => put({ id: newId(), name, fileIds: [] })}
        onClose={() => setNaming(false)}
      />
    );
  if (shown) {
    const rest = shown.fileIds.filter((id) => !ids.includes(id));
    return (
      <Button size="sm" onClick={() => void save({ id: shown.id, name: shown.name, fileIds: rest })}>
        {t('com_files_set_take_out', { 0: shown.name })}
      </Button>
    );
  }
  const label = (
    <>
      <IconFolderPlus aria-hidden />
      {t('com_files_set_add')}
    </>
  );
  if (!isMenuWanted)
    return (
      <Button size="sm" aria-haspopup="menu" aria-expanded={false} onClick={() => setMenuWanted(true)}>
        {label}
      </Button>
    );
  return <SetMenu label={label} groups={groups} onPick={(set) => void put(set)} onNew={() => setNaming(true)} />;
}

interface SetMenuProps extends Pick<SelectedFilesProps, 'groups'> {
  label: ReactNode;
  onPick: (set: FileGroup) => void;
  onNew: () => void;
}

/** Mounted open. */
function SetMenu({ label, groups, onPick, onNew }: SetMenuProps) {
  const { t } = useTranslation();
  const { button, menu, dropdown, isOpen } = useMenu();
  return (
    <Menu {...menu} position="top-start" width={240}>
      <Menu.Target>
        <Button size="sm" ref={button} aria-expanded={isOpen}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        {groups.map(
          (one) =>
            one.kind === 'set' && (
              <Menu.Item key={one.id} onClick={() => onPick(one)}>
                {one.name}
              </Menu.Item>
            ),
        )}
        <MenuRow icon={IconPlus} onClick={onNew}>
          {t('com_files_set_new')}
        </MenuRow>
      </Menu.Dropdown>
    </Menu>
  );
}
