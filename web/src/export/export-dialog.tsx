import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import { Checkbox } from '@mantine/core';
import { typedKeys } from '@parley/schema/entries';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import classes from './export.module.css';
import { validFileName } from '../lib/file-name.ts';
import { defaultOptions, formats, withFormat, type ExportOptions } from './formats.ts';
import { useExport } from './use-export.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { Problem } from '../ui/primitives/problem.tsx';

interface ExportDialogProps {
  conversationId: string;
  onClose: () => void;
}

/** Saves a conversation as a file in a chosen format. */
export function ExportDialog({ conversationId, onClose }: ExportDialogProps) {
  const { t } = useTranslation();
  const { data: convo } = trpc.convos.byId.useQuery({ conversationId }, { staleTime: Infinity });
  return (
    <DialogFrame title={t('com_nav_export_conversation')} onClose={onClose}>
      {convo && <Form conversationId={conversationId} name={convo.title ?? t('com_ui_new_chat')} onClose={onClose} />}
    </DialogFrame>
  );
}

const FALLBACK_NAME = 'conversation';
const names = typedKeys(formats);

function Form({ conversationId, name, onClose }: ExportDialogProps & { name: string }) {
  const { t } = useTranslation();
  const [choices, setChoices] = useState(() => defaultOptions(validFileName(name, FALLBACK_NAME)));
  const { save, isBusy, problem, offScreen } = useExport(conversationId, onClose);
  const format = formats[choices.format];
  const change = (part: Partial<ExportOptions>) => setChoices({ ...choices, ...part });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void save({ ...choices, fileName: validFileName(choices.fileName, FALLBACK_NAME) });
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField
        label={t('com_nav_export_filename')}
        placeholder={t('com_nav_export_filename_placeholder')}
        value={choices.fileName}
        onChange={(event) => change({ fileName: event.currentTarget.value })}
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <SelectField
        label={t('com_nav_export_type')}
        value={choices.format}
        onChange={(picked) => setChoices(withFormat(choices, picked))}
        options={names.map((value) => ({ value, label: `${t(formats[value].label)} (.${formats[value].extension})` }))}
      />
      {format.hasOptions && (
        <Choice
          label={t('com_nav_export_include_endpoint_options')}
          checked={choices.includeOptions}
          onChange={(includeOptions) => change({ includeOptions })}
        />
      )}
      {format.hasBranches && (
        <Choice
          label={t('com_nav_export_all_message_branches')}
          checked={choices.exportBranches}
          onChange={(exportBranches) => change({ exportBranches })}
        />
      )}
      {format.isRecursive && (
        <Choice
          label={t('com_export_nested')}
          checked={choices.recursive}
          onChange={(recursive) => change({ recursive })}
        />
      )}
      <Problem>{problem}</Problem>
      <ButtonRow end className={classes.buttons}>
        <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
        <BusyButton
          type="submit"
          variant="filled"
          isBusy={isBusy}
          aria-label={isBusy ? t('com_export_working') : undefined}
        >
          {t('com_endpoint_export')}
        </BusyButton>
      </ButtonRow>
      {offScreen}
    </form>
  );
}

interface ChoiceProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({ label, checked, onChange }: ChoiceProps) {
  return (
    <Checkbox
      classNames={{ body: classes.box }}
      label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
