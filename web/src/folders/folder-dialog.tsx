// Tests of this room: tests/e2e/sidebar/folders.test.ts.
import { FOLDER_COLORS, FOLDER_NAME_MAX, type FolderColor } from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { selectionAtom } from '../convos/selection.ts';
import type { ConvoOrId } from '../dialogs/open-dialog.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { newId } from '../lib/new-id.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { FolderIcon } from './folder-icon.tsx';
import classes from './folder.module.css';
import { useChangeFolders, useMoveToFolder } from './use-folders.ts';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface FolderDialogProps {
  /** Null: a new one. */
  folder: Folder | null;
  /** They move into the new folder, which ends their selection. */
  convos: readonly ConvoOrId[];
  onClose: () => void;
}

/** Names a new folder, or changes the name and the colour of one. Its page has everything else. */
export function FolderDialog({ folder, convos, onClose }: FolderDialogProps) {
  const { t } = useTranslation();
  const save = useSaveFolder(folder, convos);
  const setSelection = useSetAtom(selectionAtom);
  const [name, setName] = useState(folder?.name ?? '');
  const [color, setColor] = useState(folder?.color ?? null);
  // The owner of a project names it.
  const isFixed = folder?.sharedBy?.level === 'use';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === '') return;
    save({ ...(!isFixed && { name }), color });
    if (convos.length > 0) setSelection(null);
    onClose();
  }

  return (
    <DialogFrame title={folder ? t('com_ui_folder_edit') : t('com_ui_folder_new_title')} onClose={onClose}>
      <form className={classes.form} onSubmit={submit}>
        <TextField
          disabled={isFixed}
          label={t('com_ui_folder_name')}
          maxLength={FOLDER_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          dir="auto"
          data-autofocus
        />
        <Colors chosen={color} onChoose={setColor} />
        {!folder && <p className="hint">{t('com_project_hint')}</p>}
        <ButtonRow end>
          <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
          <Button type="submit" variant="filled" disabled={name.trim() === ''}>
            {t('com_ui_save')}
          </Button>
        </ButtonRow>
      </form>
    </DialogFrame>
  );
}

/** Saves a folder, then moves the conversations into it. A failure is shown. */
function useSaveFolder(
  folder: Folder | null,
  convos: readonly ConvoOrId[],
): (values: Pick<Folder, 'color'> & { name?: string }) => void {
  const { create, update } = useChangeFolders();
  const move = useMoveToFolder();
  return (values) => {
    const id = folder?.id ?? newId();
    // The dialog has gone by then, and with it the callbacks of its calls.
    (folder ? update({ id, ...values }) : create({ id, name: '', ...values })).then(
      () => {
        const ids = convos.map(({ conversationId }) => conversationId);
        if (ids.length > 0) move(ids, id);
      },
      () => {},
    );
  };
}

function Colors({ chosen, onChoose }: { chosen: FolderColor | null; onChoose: (color: FolderColor | null) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.colors}>
      <legend className={classes.legend}>{t('com_ui_folder_color')}</legend>
      {[null, ...FOLDER_COLORS].map((color) => (
        <label key={color} className={classes.color} data-tooltip={t(`com_ui_color_${color ?? 'none'}`)}>
          <input
            type="radio"
            name="folder-color"
            className={classes.radio}
            aria-label={t(`com_ui_color_${color ?? 'none'}`)}
            checked={color === chosen}
            onChange={() => onChoose(color)}
          />
          <FolderIcon color={color} />
        </label>
      ))}
    </fieldset>
  );
}
