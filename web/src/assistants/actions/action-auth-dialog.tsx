import type { Action } from '@parley/schema/assistants/actions';
import { typedEntries } from '@parley/schema/entries';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import classes from '../builder/builder.module.css';
import { actionFaults, type ActionForm } from './action-form.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

interface ActionAuthDialogProps {
  form: ActionForm;
  saved: Action | null;
  onSave: (part: Partial<ActionForm>) => void;
  onClose: () => void;
}

/** Chooses how an API knows the caller. OAuth is set up by other clients; here it can only be kept. */
export function ActionAuthDialog({ form, saved, onSave, onClose }: ActionAuthDialogProps) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState(form);
  const [isTried, setTried] = useState(false);
  const { authType, authorizationType, header, apiKey, privacyPolicyUrl: _url } = edited;
  const change = (part: Partial<ActionForm>) => setEdited({ ...edited, ...part });
  const faults = isTried ? actionFaults(edited, saved) : [];
  const isKept = saved?.auth.type === 'service_http' && saved.hasSecrets;

  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (actionFaults({ ...edited, privacyPolicyUrl: '' }, saved).length > 0) return;
    onSave({ authType, authorizationType, header, apiKey });
  }

  return (
    <Modal title={t('com_actions_auth')} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Choices
          label={t('com_actions_auth')}
          value={authType}
          options={{ none: t('com_actions_auth_none'), service_http: t('com_actions_key'), oauth: 'OAuth' }}
          disabled={saved?.auth.type === 'oauth' ? [] : ['oauth']}
          onChange={(type) => change({ authType: type })}
        />
        {authType === 'service_http' && (
          <>
            <PasswordField
              label={t('com_actions_key')}
              description={isKept ? t('com_actions_key_kept') : undefined}
              autoComplete="off"
              value={apiKey}
              error={faults.includes('key_missing') ? t('com_actions_key_needed') : undefined}
              onChange={({ currentTarget }) => change({ apiKey: currentTarget.value })}
            />
            <Choices
              label={t('com_actions_key')}
              value={authorizationType}
              options={{
                basic: t('com_actions_basic'),
                bearer: t('com_actions_bearer'),
                custom: t('com_actions_custom'),
              }}
              onChange={(type) => change({ authorizationType: type })}
            />
            {authorizationType === 'custom' && (
              <TextField
                label={t('com_actions_header')}
                dir="ltr"
                placeholder="X-Api-Key"
                error={faults.includes('header_missing') && <span role="alert">{t('com_actions_header_needed')}</span>}
                value={header}
                onChange={({ currentTarget }) => change({ header: currentTarget.value })}
              />
            )}
          </>
        )}
        <ButtonRow end>
          <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('com_ui_save')}
          </Button>
        </ButtonRow>
      </form>
    </Modal>
  );
}

interface ChoicesProps<Option extends string> {
  label: string;
  value: Option;
  options: Readonly<Record<Option, string>>;
  disabled?: readonly Option[];
  onChange: (option: Option) => void;
}

function Choices<Option extends string>({ label, value, options, disabled = [], onChange }: ChoicesProps<Option>) {
  const name = useId();
  const all = typedEntries(options);
  return (
    <div className={classes.choices} role="radiogroup" aria-label={label}>
      {all.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            disabled={disabled.includes(option)}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}
