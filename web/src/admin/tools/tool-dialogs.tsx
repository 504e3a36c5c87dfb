// The dialogs by which a service or a tool server is set up: tried, saved, removed.
import type { ToolRow, ToolTried } from '@parley/schema/tools/tool-settings';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldHint, fieldLabel } from '../../plugins/field-labels.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton, SaveButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { errorSentences, useFields } from '../admin-form.tsx';
import { onSubmit, PLAIN, TrialResult, useTrial } from '../trial.tsx';
import { describeToolTry, toolLabel } from './describe-tool.ts';
import { headersIn, serverErrors, type ServerValues } from './server-values.ts';
import classes from './tools.module.css';

interface DialogProps<Row> {
  row: Row;
  onRemove: () => void;
  onClose: () => void;
}

/** A tool server by its name, its address and its headers; null for a new one. A try lists its tools. */
export function ServerDialog({ row, onRemove, onClose }: DialogProps<ToolRow | null>) {
  const { t } = useTranslation();
  const { tools } = trpc.useUtils().client.admin;
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [saved] = useState(row?.saved ?? null);
  const { values, typed, isRight } = useFields<ServerValues>({
    initial: { name: row?.label ?? '', url: row?.at ?? '', headers: '' },
    check: (written) =>
      errorSentences(serverErrors(written, { url: row?.at ?? null, hasHeaders: saved?.hasValues === true }), t),
  });
  const input = () => ({
    name: values.name.trim(),
    url: values.url.trim(),
    ...(values.headers.trim() !== '' && { headers: headersIn(values.headers) ?? [] }),
  });
  const setup = useSetup({
    check: isRight,
    attempt: () => tools.tryServer.mutate(input()),
    save: () => tools.saveServer.mutate({ ...input(), version: saved?.version ?? null }),
    onSaved: onClose,
  });
  const field = (name: keyof ServerValues) => ({ ...PLAIN, name, dir: 'ltr' as const, ...typed(name) });
  return (
    <SetupForm
      title={row ? t('com_admin_providers_edit', { 0: row.label }) : t('com_admin_tools_server_add')}
      name={values.name.trim() || t('com_admin_tools_servers')}
      setup={setup}
      onRemove={row && onRemove}
      onClose={onClose}
    >
      {!row && (
        <TextField
          {...field('name')}
          aria-required
          data-autofocus
          label={t('com_admin_providers_name')}
          description={t('com_admin_tools_server_name_hint')}
        />
      )}
      <TextField
        {...field('url')}
        type="url"
        aria-required
        data-autofocus={row ? true : undefined}
        label={t('com_admin_providers_address')}
      />
      <TextArea
        {...field('headers')}
        autosize
        minRows={2}
        maxRows={6}
        label={t('com_admin_tools_server_headers')}
        description={t('com_admin_tools_server_headers_hint')}
        placeholder={saved?.hasValues ? t('com_admin_tools_value_kept') : undefined}
      />
    </SetupForm>
  );
}

/** The key of a service, or its address. What the environment sets can only be tried. */
export function ServiceDialog({ row, onRemove, onClose }: DialogProps<ToolRow>) {
  const { t } = useTranslation();
  const { tools } = trpc.useUtils().client.admin;
  const { name, fields, canTry } = row;
  // Of what the form began with: what somebody else saves meanwhile is not written over.
  const [saved] = useState(row.saved);
  const isKept = saved?.hasValues === true && !saved.isUnreadable;
  const { values, typed, isRight } = useFields<Readonly<Record<string, string>>>({
    initial: {},
    check(written) {
      const missing = isKept ? [] : fields.filter(({ field }) => !written[field]?.trim());
      return Object.fromEntries(missing.map(({ field }) => [field, t('com_admin_tools_value_missing')]));
    },
  });
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const setup = useSetup({
    check: isRight,
    attempt: () => tools.tryValues.mutate({ name, values: given }),
    save: () => tools.saveValues.mutate({ name, values: given, version: saved?.version ?? null }),
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
            autoComplete="new-password"
            name={field.field}
            dir="ltr"
            aria-required
            data-autofocus={index === 0 || undefined}
            label={fieldLabel(field, t)}
            description={fieldHint(field, t)}
            placeholder={isKept ? t('com_admin_tools_value_kept') : undefined}
            {...typed(field.field)}
          />
        );
      })}
    </SetupForm>
  );
}

/** A trial after whose saving the tools are read again. */
function useSetup({ save, ...calls }: Parameters<typeof useTrial<ToolTried>>[0]) {
  const { tools, audit } = trpc.useUtils().admin;
  return useTrial({
    ...calls,
    async save(tried) {
      await save(tried);
      await Promise.all([tools.list.invalidate(), audit.invalidate()]);
    },
  });
}

interface SetupFormProps {
  title: string;
  /** Of what is tried. */
  name: string;
  setup: ReturnType<typeof useSetup>;
  /** Its values can be saved here. */
  canSave?: boolean;
  canTry?: boolean;
  /** One of its fields is the address. */
  hasAddress?: boolean;
  /** Null where nothing is saved. */
  onRemove: (() => void) | null;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of a tool: its fields, what a try said, and what can be done. */
function SetupForm({ title, name, setup, canSave = true, canTry = true, hasAddress = true, ...rest }: SetupFormProps) {
  const { t } = useTranslation();
  const { onRemove, onClose, children } = rest;
  const { running, tryIt, saveIt, forget } = setup;
  const submit = onSubmit(() => (canSave ? saveIt() : tryIt()));
  return (
    <Modal title={title} onClose={onClose}>
      <form noValidate className={classes.form} onChange={forget} onSubmit={submit}>
        {children}
        <TrialResult name={name} trial={setup} describe={(tried) => describeToolTry(tried, name, hasAddress, t)} />
        <ButtonRow>
          {canSave && <SaveButton isBusy={running === 'save'} />}
          {canTry && (
            <BusyButton isBusy={running === 'try'} onClick={() => void tryIt()}>
              {t('com_admin_providers_try')}
            </BusyButton>
          )}
          {onRemove && (
            <Button variant="subtle" className={classes.remove} onClick={onRemove}>
              {t('com_admin_providers_remove')}
            </Button>
          )}
        </ButtonRow>
      </form>
    </Modal>
  );
}
