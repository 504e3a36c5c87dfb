import { SET_NAME_MAX } from '@parley/schema/files/set-rules';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEscapeLevel } from '../dialogs/escape-levels.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import classes from './files-table.module.css';

interface SetNameFormProps {
  /** Empty for a new set. */
  name: string;
  /** Resolves to whether the name is saved; else the form stays. */
  onSave: (name: string) => Promise<boolean>;
  onClose: () => void;
}

/** The name of a set. Escape leaves it as it was. */
export function SetNameForm({ name: before, onSave, onClose }: SetNameFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(before);
  const [isBusy, setBusy] = useState(false);
  useEscapeLevel(onClose);

  async function save(): Promise<void> {
    if (name.trim() === '' || isBusy) return;
    setBusy(true);
    if (await onSave(name)) onClose();
    setBusy(false);
  }

  return (
    <form
      className={classes.naming}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t('com_files_set_name')}
        value={name}
        maxLength={SET_NAME_MAX}
        autoFocus
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <SaveButton size="sm" isBusy={isBusy} disabled={name.trim() === ''} />
      <Button size="sm" onClick={onClose}>
        {t('com_ui_cancel')}
      </Button>
    </form>
  );
}
