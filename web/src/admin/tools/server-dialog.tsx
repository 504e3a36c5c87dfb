import '@mantine/core/styles/Input.css';
import { Textarea } from '@mantine/core';
import type { ToolRow } from '@parley/schema/tools/tool-settings';
import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { trpc } from '../../trpc.ts';
import { fieldClasses } from '../../ui/fields/field-classes.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SetupForm } from './setup-form.tsx';
import { headersIn, serverErrors, type ServerValues } from './server-values.ts';
import { useSetup } from './use-setup.ts';

interface ServerDialogProps {
  /** Null for a new one. */
  row: ToolRow | null;
  onRemove: () => void;
  onClose: () => void;
}

/** Fields that browsers and password managers leave alone. */
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, 'data-1p-ignore': true } as const;

/** A tool server by its name, its address and its headers: tried, which lists its tools, saved, removed. */
export function ServerDialog({ row, onRemove, onClose }: ServerDialogProps) {
  const { t } = useTranslation();
  const { client } = trpc.useUtils();
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [saved] = useState(row?.saved ?? null);
  const [values, setValues] = useState<ServerValues>({ name: row?.label ?? '', url: row?.at ?? '', headers: '' });
  const [isChecked, setChecked] = useState(false);
  const errors = serverErrors(values, { url: row?.at ?? null, hasHeaders: saved?.hasValues === true });
  const input = () => ({
    name: values.name.trim(),
    url: values.url.trim(),
    ...(values.headers.trim() !== '' && { headers: headersIn(values.headers) ?? [] }),
  });
  const setup = useSetup({
    check() {
      setChecked(true);
      return Object.keys(errors).length === 0;
    },
    attempt: () => client.admin.tools.tryServer.mutate(input()),
    save: () => client.admin.tools.saveServer.mutate({ ...input(), version: saved?.version ?? null }),
    onSaved: onClose,
  });
  const field = (name: keyof ServerValues) => {
    const error: ParseKeys | undefined = errors[name];
    return {
      ...PLAIN,
      name,
      value: values[name],
      error: isChecked && error ? t(error) : undefined,
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
        setValues((all) => ({ ...all, [name]: currentTarget.value })),
    };
  };

  return (
    <SetupForm
      title={row ? t('com_admin_providers_edit', { 0: row.label }) : t('com_admin_tools_server_add')}
      name={values.name.trim() || t('com_admin_tools_servers')}
      setup={setup}
      canSave
      canTry
      hasAddress
      onRemove={row && onRemove}
      onClose={onClose}
    >
      {!row && (
        <TextField
          {...field('name')}
          dir="ltr"
          aria-required
          data-autofocus
          label={t('com_admin_providers_name')}
          description={t('com_admin_tools_server_name_hint')}
        />
      )}
      <TextField
        {...field('url')}
        type="url"
        dir="ltr"
        aria-required
        data-autofocus={row ? true : undefined}
        label={t('com_admin_providers_address')}
      />
      <Textarea
        {...field('headers')}
        autosize
        minRows={2}
        maxRows={6}
        dir="ltr"
        classNames={fieldClasses}
        label={t('com_admin_tools_server_headers')}
        description={t('com_admin_tools_server_headers_hint')}
        placeholder={saved?.hasValues ? t('com_admin_tools_value_kept') : undefined}
      />
    </SetupForm>
  );
}
