import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../ui/fields/select-field.tsx';
import { RowMenu } from '../ui/menu/row-menu.tsx';
import { MenuRow } from '../ui/menu/menu-row.tsx';
import classes from './files-table.module.css';
import { SetNameForm } from './set-name-form.tsx';
import type { FileGroup } from '../files/table/use-file-search.ts';
import { useChangeSets } from './use-file-sets.ts';

const ALL = '';

interface GroupToolsProps {
  groups: readonly FileGroup[];
  /** Null: all files. */
  current: FileGroup | null;
  onPick: (id: string | null) => void;
}

/** Narrows the table down to a set or a folder, and renames or deletes the set. Nothing where there is neither. */
export function GroupTools({ groups, current, onPick }: GroupToolsProps) {
  const { t } = useTranslation();
  const [isNaming, setNaming] = useState(false);
  const { save } = useChangeSets();
  if (groups.length === 0) return null;
  if (current && isNaming)
    return (
      <SetNameForm
        name={current.name}
        onSave={(name) => save({ id: current.id, name, fileIds: [...current.fileIds] })}
        onClose={() => setNaming(false)}
      />
    );
  const options = groups.map(({ id, kind, name }) => ({ value: id, label: t(`com_files_group_${kind}`, { 0: name }) }));
  return (
    <div className={classes.groups}>
      <SelectField
        aria-label={t('com_files_group')}
        value={current?.id ?? ALL}
        options={[{ value: ALL, label: t('com_files_group_all') }, ...options]}
        onChange={(id) => onPick(id === ALL ? null : id)}
      />
      {current?.kind === 'set' && (
        <SetMenu set={current} onRename={() => setNaming(true)} onRemoved={() => onPick(null)} />
      )}
    </div>
  );
}

interface SetMenuProps {
  set: FileGroup;
  onRename: () => void;
  onRemoved: () => void;
}

function SetMenu({ set: { id, name }, onRename, onRemoved }: SetMenuProps) {
  const { t } = useTranslation();
  const { remove } = useChangeSets();
  return (
    <RowMenu label={t('com_files_set_more', { 0: name })} width={240}>
      <MenuRow icon={IconPencil} onClick={onRename}>
        {t('com_files_set_rename')}
      </MenuRow>
      <Menu.Divider />
      <MenuRow icon={IconTrash} onClick={() => void remove(id).then((isDone) => isDone && onRemoved())}>
        {t('com_files_set_delete')}
      </MenuRow>
    </RowMenu>
  );
}
