import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { focusComposer } from '../slots/focus-composer.ts';
import { FIRST_SLOT } from '../slots/slot.ts';
import { endpointLabel } from '../catalog/choose-model.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { errorReason } from '../errors/error-reason.ts';
import { describeError } from '../errors/describe-error.ts';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { describeLifetime, LIFETIMES, USUAL_LIFETIME } from './key-lifetimes.ts';
import classes from './key-dialog.module.css';
import { missingFields, storedKeyValue, type FieldName, type Filled, type KeyForm } from './key-forms.ts';
import { KeyInput } from './key-input.tsx';
import { GoogleKeyFileInput } from './google-key-file-input.tsx';
import { useKeyCache } from './use-key-cache.ts';
import { RevokeKey } from './revoke-key.tsx';
import { isTouchDevice } from '../lib/is-touch-device.ts';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { Problem } from '../ui/primitives/problem.tsx';

interface KeyFieldsProps {
  endpoint: string;
  form: KeyForm;
  /** A key already exists. */
  isSaved: boolean;
  onClose: () => void;
}

const NOTHING: Filled = { words: {}, file: null };

/** The form of the key dialog. Input survives every failure. */
export function KeyFields({ endpoint, form, isSaved, onClose }: KeyFieldsProps) {
  const { t, i18n } = useTranslation();
  const [filled, setFilled] = useState(NOTHING);
  const [lifetime, setLifetime] = useState(USUAL_LIFETIME);
  const [missing, setMissing] = useState<readonly FieldName[]>([]);
  const element = useRef<HTMLFormElement>(null);
  const save = useSaveKey(endpoint, onClose);

  function change(field: FieldName, value: string): void {
    setFilled((before) => ({ ...before, words: { ...before.words, [field]: value } }));
    setMissing((before) => before.filter((one) => one !== field));
  }

  function focusField(field: FieldName | undefined): void {
    element.current?.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.focus();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (save.isPending) return;
    const wanted = missingFields(form, filled);
    setMissing(wanted.map((field) => field.name));
    const [first] = wanted;
    if (!first) {
      const expiresAt = new Date(Date.now() + lifetime).toISOString();
      const key = { name: endpoint, value: storedKeyValue(form, filled), expiresAt };
      return save.mutate(key, { onError: (error) => isOfUrl(error, form) && focusField('baseURL') });
    }
    focusField(first.name);
  }

  return (
    <form ref={element} className={classes.form} onSubmit={submit} noValidate>
      {form.kind === 'google' && <GoogleKeyFileInput onFile={(file) => setFilled((before) => ({ ...before, file }))} />}
      {form.fields.map((field, index) => (
        <KeyInput
          key={field.name}
          field={field}
          value={filled.words[field.name] ?? ''}
          error={errorOf(field.name, form, missing, save.error, t)}
          isFirst={index === 0 && form.kind !== 'google'}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <SelectField
        label={t('com_endpoint_config_key_expires')}
        value={String(lifetime)}
        onChange={(ms) => setLifetime(Number(ms))}
        options={LIFETIMES.map((ms) => ({ value: String(ms), label: describeLifetime(ms, t) }))}
      />
      <p className={classes.note}>
        {t('com_endpoint_config_key_encryption')} {isSaved && t('com_endpoint_config_key_both')}
      </p>
      <Problem>{missing.length > 0 && form.kind !== 'google' && requiredOf(form, missing, t, i18n.language)}</Problem>
      <Problem>{save.error && !isOfUrl(save.error, form) && describeError(save.error, t)}</Problem>
      <ButtonRow end className={classes.buttons}>
        {isSaved && (
          <div className={classes.revoke}>
            <RevokeKey endpoint={endpoint} onRevoked={() => focusField(form.fields[0]?.name)} />
          </div>
        )}
        <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
        <SaveButton isBusy={save.isPending} />
      </ButtonRow>
    </form>
  );
}

/** The names of the empty fields in one sentence. */
function requiredOf({ fields }: KeyForm, missing: readonly FieldName[], t: TFunction, language: string): string {
  const names = fields.filter(({ name }) => missing.includes(name)).map(({ label }) => t(label));
  return t('com_endpoint_config_key_required', { 0: new Intl.ListFormat(language).format(names) });
}

/** An address that may not be called is said at the address, everything else below the form. */
function isOfUrl(error: unknown, { fields }: KeyForm): boolean {
  return errorReason(error)?.type === 'forbidden_base_url' && fields.some(({ name }) => name === 'baseURL');
}

/** What is wrong with one field. */
function errorOf(
  field: FieldName,
  form: KeyForm,
  missing: readonly FieldName[],
  error: unknown,
  t: TFunction,
): string | undefined {
  if (missing.includes(field))
    return t(form.kind === 'google' ? 'com_endpoint_config_key_required_google' : 'com_auth_required');
  return field === 'baseURL' && isOfUrl(error, form) ? describeError(error, t) : undefined;
}

function useSaveKey(endpoint: string, onClose: () => void) {
  const { t } = useTranslation();
  const known = useKeyCache();
  const name = endpointLabel(endpoint);
  return trpc.keys.save.useMutation({
    onSuccess: (saved) => {
      known.put(saved);
      showToast({ message: t('com_endpoint_config_key_saved', { 0: name }), severity: 'success' });
      onClose();
      // After setting a key the user wants to write, but on touch devices the keyboard would cover half the screen.
      if (!isTouchDevice()) focusComposer(FIRST_SLOT);
    },
  });
}
