import { API_KEY_NAME_MAX, API_SCOPES, type ApiScope } from '@parley/schema/accounts/api-key-rules';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../../errors/describe-error.ts';
import { DOLLAR } from '../../../lib/format-number.ts';
import { trpc } from '../../../trpc.ts';
import { BusyButton } from '../../../ui/busy-button.tsx';
import { Button } from '../../../ui/button.tsx';
import choiceClasses from '../../../ui/fields/choices.module.css';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { LIFETIMES, endOfLifetime, readDollars, type ProgramKeyDraft } from './program-key-draft.ts';
import classes from './program-keys.module.css';
import { ButtonRow } from '../../../ui/primitives/button-row.tsx';
import { Problem } from '../../../ui/primitives/problem.tsx';

interface ProgramKeyFormProps {
  draft: ProgramKeyDraft;
  /** Is given the key when it is made, and null when it is not to be made. */
  onChange: (made: ProgramKeyDraft | { secret: string } | null) => void;
}

export function ProgramKeyForm({ draft, onChange }: ProgramKeyFormProps) {
  const { t } = useTranslation();
  const { name, scopes, lifetime, limit } = draft;
  const change = (over: Partial<ProgramKeyDraft>) => onChange({ ...draft, ...over });
  const dollars = readDollars(limit);
  const { apiKeys } = trpc.useUtils();
  const create = trpc.apiKeys.create.useMutation({
    onSuccess: ({ key }) => {
      void apiKeys.invalidate();
      onChange({ secret: key });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (dollars === undefined || scopes.length === 0) return;
    create.mutate({
      name,
      scopes: [...scopes],
      expiresAt: endOfLifetime(lifetime, new Date()),
      monthlyCredits: dollars === null ? null : Math.round(dollars * DOLLAR),
    });
  }

  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('com_program_keys_new')}>
      <TextField
        label={t('com_program_keys_name')}
        placeholder={t('com_program_keys_name_example')}
        required
        autoFocus
        maxLength={API_KEY_NAME_MAX}
        value={name}
        dir="auto"
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Scopes scopes={scopes} onChange={(chosen) => change({ scopes: chosen })} />
      <SelectField
        label={t('com_program_keys_ends')}
        value={lifetime}
        onChange={(one) => change({ lifetime: one })}
        options={LIFETIMES.map((one) => ({
          value: one,
          label: one === '' ? t('com_program_keys_never') : t('com_endpoint_config_key_days', { count: Number(one) }),
        }))}
      />
      <TextField
        label={t('com_program_keys_limit')}
        description={t('com_program_keys_limit_hint')}
        inputMode="decimal"
        leftSection="$"
        value={limit}
        dir="ltr"
        error={dollars === undefined && t('com_program_keys_limit_wrong')}
        onChange={(event) => change({ limit: event.currentTarget.value })}
      />
      <Problem>
        {scopes.length === 0 ? t('com_program_keys_scopes_none') : create.error && describeError(create.error, t)}
      </Problem>
      <ButtonRow end>
        <Button onClick={() => onChange(null)}>{t('com_ui_cancel')}</Button>
        <BusyButton
          type="submit"
          variant="filled"
          isBusy={create.isPending}
          disabled={dollars === undefined || scopes.length === 0}
        >
          {t('com_program_keys_make')}
        </BusyButton>
      </ButtonRow>
    </form>
  );
}

interface ScopesProps {
  scopes: readonly ApiScope[];
  onChange: (scopes: readonly ApiScope[]) => void;
}

function Scopes({ scopes, onChange }: ScopesProps) {
  const { t } = useTranslation();
  const choose = (scope: ApiScope, isChosen: boolean) =>
    onChange(API_SCOPES.filter((one) => (one === scope ? isChosen : scopes.includes(one))));
  return (
    <fieldset className={choiceClasses.choices}>
      <legend>{t('com_program_keys_scopes')}</legend>
      {API_SCOPES.map((scope) => (
        <label key={scope} className={choiceClasses.choice}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget }) => choose(scope, currentTarget.checked)}
          />
          {t(`com_program_keys_scope_${scope}`)}
        </label>
      ))}
    </fieldset>
  );
}
