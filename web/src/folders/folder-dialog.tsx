// Tests of this room: tests/e2e/sidebar/folders.test.ts.
import '@mantine/core/styles/Input.css';
import { Textarea } from '@mantine/core';
import {
  FOLDER_COLORS,
  FOLDER_INSTRUCTIONS_MAX,
  FOLDER_NAME_MAX,
  type FolderColor,
} from '@parley/schema/convos/folder-rules';
import type { Folder } from '@parley/schema/convos/folders';
import { useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { selectionAtom } from '../convos/selection.ts';
import type { ConvoOrId } from '../dialogs/open-dialog.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { newId } from '../lib/new-id.ts';
import { usePresets } from '../presets/use-presets.ts';
import { Button } from '../ui/button.tsx';
import { fieldClasses } from '../ui/fields/field-classes.ts';
import { LengthCount } from '../ui/fields/length-count.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { FolderFiles } from './folder-files.tsx';
import { FolderIcon } from './folder-icon.tsx';
import classes from './folder.module.css';
import { useChangeFolders, useMoveToFolder } from './use-folders.ts';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

/** Milliseconds that the list of presets counts as new. */
const FRESH_MS = 60_000;
const NO_PRESET = 'none';

interface FolderDialogProps {
  /** Null: a new one. */
  folder: Folder | null;
  /** They move into the new folder, which ends their selection. */
  convos: readonly ConvoOrId[];
  onClose: () => void;
}

/** Names a new folder, or edits one: its name, colour, preset, instructions and files. */
export function FolderDialog({ folder, convos, onClose }: FolderDialogProps) {
  const { t } = useTranslation();
  const save = useSaveFolder(folder, convos);
  const setSelection = useSetAtom(selectionAtom);
  const [name, setName] = useState(folder?.name ?? '');
  const [color, setColor] = useState(folder?.color ?? null);
  const [instructions, setInstructions] = useState(folder?.instructions ?? '');
  const [presetId, setPresetId] = useState(folder?.presetId ?? null);
  const [fileIds, setFileIds] = useState<readonly string[]>(folder?.fileIds ?? []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === '') return;
    save({ name, color, instructions, presetId, fileIds });
    if (convos.length > 0) setSelection(null);
    onClose();
  }

  return (
    <DialogFrame title={folder ? t('com_ui_folder_edit') : t('com_ui_folder_new_title')} onClose={onClose}>
      <form className={classes.form} onSubmit={submit}>
        <TextField
          label={t('com_ui_folder_name')}
          maxLength={FOLDER_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          dir="auto"
          data-autofocus
        />
        <Colors chosen={color} onChoose={setColor} />
        <PresetField presetId={presetId} onChoose={setPresetId} />
        <Textarea
          label={t('com_ui_folder_instructions')}
          description={
            <>
              {t('com_ui_folder_instructions_hint')}
              <LengthCount length={instructions.length} max={FOLDER_INSTRUCTIONS_MAX} />
            </>
          }
          classNames={fieldClasses}
          maxLength={FOLDER_INSTRUCTIONS_MAX}
          rows={4}
          value={instructions}
          onChange={(event) => setInstructions(event.currentTarget.value)}
          dir="auto"
        />
        <FolderFiles fileIds={fileIds} onChange={setFileIds} />
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

interface FolderValues extends Pick<Folder, 'name' | 'color' | 'instructions' | 'presetId'> {
  fileIds: readonly string[];
}

/** Saves a folder with its files, then moves the conversations into it. A failure is shown. */
function useSaveFolder(folder: Folder | null, convos: readonly ConvoOrId[]): (values: FolderValues) => void {
  const { create, update, setFiles } = useChangeFolders();
  const move = useMoveToFolder();
  return ({ fileIds, ...values }) => {
    const id = folder?.id ?? newId();
    // The dialog has gone by then, and with it the callbacks of its calls.
    (folder ? update({ id, ...values }) : create({ id, ...values })).then(
      () => {
        if (fileIds.join() !== (folder?.fileIds ?? []).join()) setFiles({ folderId: id, fileIds: [...fileIds] });
        const ids = convos.map(({ conversationId }) => conversationId);
        if (ids.length > 0) move(ids, id);
      },
      () => {},
    );
  };
}

/** Absent for somebody without presets. */
function PresetField({ presetId, onChoose }: { presetId: string | null; onChoose: (presetId: string | null) => void }) {
  const { t } = useTranslation();
  const { presets = [] } = usePresets(FRESH_MS);
  if (presets.length === 0) return null;
  const options = presets.map((preset) => ({ value: preset.presetId, label: preset.title }));
  const isThere = presets.some((preset) => preset.presetId === presetId);
  return (
    <SelectField
      label={t('com_ui_folder_preset')}
      value={isThere ? presetId : NO_PRESET}
      options={[{ value: NO_PRESET, label: t('com_ui_folder_no_preset') }, ...options]}
      onChange={(id) => onChoose(id === NO_PRESET ? null : id)}
    />
  );
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
