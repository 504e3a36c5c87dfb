import type { ToolRow } from '@parley/schema/tools/tool-settings';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldHint, fieldLabel } from '../../plugins/field-labels.ts';
import { trpc } from '../../trpc.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toolLabel } from './describe-tool.ts';
import { SetupForm } from './setup-form.tsx';
import { useSetup } from './use-setup.ts';

interface ServiceDialogProps {
  row: ToolRow;
  onRemove: () => void;
  onClose: () => void;
}

/** Fields that browsers and password managers leave alone. */
const PLAIN = {
  autoComplete: 'new-password',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
} as const;

/** The key of a service, or its address: tried, saved, removed. What the environment sets can only be tried. */
export function ServiceDialog({ row, onRemove, onClose }: ServiceDialogProps) {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  const { name, fields, canTry } = row;
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [saved] = useState(row.saved);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isChecked, setChecked] = useState(false);
  const isKept = saved?.hasValues === true && !saved.isUnreadable;
  const isMissing = (field: string) => !isKept && !values[field]?.trim();
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const setup = useSetup({
    check() {
      setChecked(true);
      return !fields.some(({ field }) => isMissing(field));
    },
    attempt: () => client.admin.tools.tryValues.mutate({ name, values: given }),
    save: () => client.admin.tools.saveValues.mutate({ name, values: given, version: saved?.version ?? null }),
    onSaved: onClose,
  });
  const label = toolLabel(row, t);

  return (
    <SetupForm
      title={label}
      name={label}
      setup={setup}
      canSave={fields.length > 0}
      canTry={canTry}
      hasAddress={fields.some(({ isAddress }) => isAddress)}
      onRemove={saved?.hasValues ? onRemove : null}
      onClose={onClose}
    >
      {fields.map((field, index) => {
        const Field = field.isAddress ? TextField : PasswordField;
        return (
          <Field
            key={field.field}
            {...PLAIN}
            name={field.field}
            dir="ltr"
            aria-required
            data-autofocus={index === 0 || undefined}
            label={fieldLabel(field, t)}
            description={fieldHint(field, t)}
            placeholder={isKept ? t('com_admin_tools_value_kept') : undefined}
            value={values[field.field] ?? ''}
            error={isChecked && isMissing(field.field) && t('com_admin_tools_value_missing')}
            onChange={({ currentTarget: { value } }) => setValues((all) => ({ ...all, [field.field]: value }))}
          />
        );
      })}
    </SetupForm>
  );
}
