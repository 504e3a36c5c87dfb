import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../auth/failure-alert.tsx';
import { useForm } from '../auth/use-form.ts';
import { describeError } from '../errors/describe-error.ts';
import { trpc } from '../trpc.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { AUTHS, mcpServerInput, mcpFormValues, type FormName, type FormValues } from './form-values.ts';
import { useShowServer } from './use-mcp-server.ts';
import classes from './tools.module.css';
import choiceClasses from '../ui/fields/choices.module.css';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface ServerFormProps {
  /** Null for a new one. */
  edited: McpServer | null;
  onSaved: (server: McpServer) => void;
  onCancel: () => void;
}

const AUTH_LABELS = {
  none: 'com_mcp_auth_none',
  header: 'com_mcp_auth_header',
  oauth: 'com_mcp_auth_oauth',
} as const;

/** Fields that browsers and password managers leave alone. */
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, 'data-1p-ignore': true } as const;

/** Adds a server, or changes one. */
export function ServerForm({ edited, onSaved, onCancel }: ServerFormProps) {
  const { t } = useTranslation();
  const save = useSave(edited);
  const [loadRules] = useState(() => async () => {
    const { serverErrors } = await import('./form-rules.ts');
    return (values: FormValues) => serverErrors(values, edited);
  });
  const { form, field, errors, failure, isPending, canSubmit } = useForm<FormName>({
    empty: mcpFormValues(edited),
    loadRules,
    send: async (values) => onSaved(await save(values)),
  });
  const errorOf = (name: FormName) => errors[name] && t(errors[name]);
  const title = edited ? t('com_mcp_edit', { 0: edited.name }) : t('com_mcp_add');
  return (
    <form {...form} className={classes.form} aria-label={title}>
      <h3 className={classes.name} dir="auto">
        {title}
      </h3>
      {!edited && <p className={classes.note}>{t('com_mcp_trust')}</p>}
      <FailureAlert sentence={failure && !isPending ? describeError(failure, t) : null} />
      <TextField
        {...field('name')}
        {...PLAIN}
        // The form replaces what was pressed.
        autoFocus
        aria-required
        label={t('com_mcp_name')}
        error={errorOf('name')}
      />
      <TextField
        {...field('url')}
        {...PLAIN}
        type="url"
        dir="ltr"
        aria-required
        label={t('com_mcp_url')}
        description={t('com_mcp_url_hint')}
        error={errorOf('url')}
      />
      <AccessFields field={field} errorOf={errorOf} isSaved={edited?.auth === 'header'} />
      <ButtonRow end>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <SaveButton isBusy={isPending} disabled={!canSubmit} />
      </ButtonRow>
    </form>
  );
}

interface AccessFieldsProps {
  field: ReturnType<typeof useForm<FormName>>['field'];
  errorOf: (name: FormName) => string | undefined;
  /** A header is saved. */
  isSaved: boolean;
}

/** How the server is entered, and the header where it wants one. */
function AccessFields({ field, errorOf, isSaved }: AccessFieldsProps) {
  const { t } = useTranslation();
  const { value: auth } = field('auth');
  return (
    <>
      <fieldset className={choiceClasses.choices}>
        <legend>{t('com_mcp_auth')}</legend>
        {AUTHS.map((one) => (
          <label key={one} className={choiceClasses.choice}>
            <input {...field('auth')} type="radio" value={one} checked={auth === one} />
            {t(AUTH_LABELS[one])}
          </label>
        ))}
      </fieldset>
      {auth === 'oauth' && <p className={classes.note}>{t('com_mcp_auth_oauth_hint')}</p>}
      {auth === 'header' && (
        <>
          <TextField
            {...field('headerName')}
            {...PLAIN}
            dir="ltr"
            aria-required
            label={t('com_mcp_header_name')}
            error={errorOf('headerName')}
          />
          <PasswordField
            {...field('headerValue')}
            {...PLAIN}
            autoComplete="new-password"
            label={t('com_mcp_header_value')}
            description={t(isSaved ? 'com_mcp_header_value_saved' : 'com_mcp_header_value_hint')}
            error={errorOf('headerValue')}
          />
        </>
      )}
    </>
  );
}

function useSave(edited: McpServer | null): (values: FormValues) => Promise<McpServer> {
  const { mutateAsync: add } = trpc.mcp.add.useMutation();
  const { mutateAsync: update } = trpc.mcp.update.useMutation();
  const show = useShowServer();
  return async (values) => {
    const input = mcpServerInput(values);
    const server = await (edited ? update({ id: edited.id, ...input }) : add(input));
    show(server);
    return server;
  };
}
