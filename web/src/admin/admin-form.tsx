// Tests of this room: tests/unit/web/admin, tests/e2e/admin.
import type { ParseKeys, TFunction } from 'i18next';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './admin.module.css';
import { type ActionOptions, type Changed, useAdminAction } from './use-admin-action.ts';
import { FailureAlert } from '../auth/failure-alert.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface FieldsOptions<Values extends object> {
  initial: Values;
  /** What is wrong, by field; false for what is right. */
  check?: (values: Values) => { readonly [Name in keyof Values]?: string | false };
}

/** The props of a field that is typed into. */
export interface TypedProps {
  value: string;
  error: string | false | undefined;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

export type Fields<Values extends object> = ReturnType<typeof useFields<Values>>;

/** What is written into a form. What is wrong with it is said once the form was sent, until it is right. */
export function useFields<Values extends object>({ initial, check }: FieldsOptions<Values>) {
  const [values, setValues] = useState(initial);
  const [isTried, setTried] = useState(false);
  const wrong: ReturnType<NonNullable<typeof check>> = check?.(values) ?? {};
  const error = (name: keyof Values) => isTried && wrong[name];
  return {
    values,
    error,
    /** Whether it can be sent; what is wrong is said from now on. */
    isRight(): boolean {
      setTried(true);
      return !Object.values(wrong).some(Boolean);
    },
    /** Begins anew. */
    reset(to: Values): void {
      setValues(to);
      setTried(false);
    },
    typed: (name: keyof Values): TypedProps => ({
      value: String(values[name] ?? ''),
      error: error(name),
      onChange: ({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value })),
    }),
    /** The props of a field of options. */
    picked: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => setValues((before) => ({ ...before, [name]: value })),
    }),
  };
}

/** What is wrong in sentences, for `check`. */
export function errorSentences(errors: Readonly<Record<string, ParseKeys>>, t: TFunction): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, t(error)]));
}

interface FormOptions<Values extends object> extends FieldsOptions<Values>, ActionOptions {
  /** Sends what is right. */
  save: (values: Values) => Promise<unknown>;
  /** What is read again once it is saved. */
  changed: Changed;
  onSaved?: () => void;
}

/** A form that is saved as a whole. */
export function useAdminForm<Values extends object>(options: FormOptions<Values>) {
  const { save, changed, onSaved, ...rest } = options;
  const { act, ...state } = useAdminAction(changed, rest);
  const fields = useFields(rest);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!fields.isRight() || state.isBusy) return;
    if (await act(() => save(fields.values))) onSaved?.();
  }

  return { ...fields, ...state, act, submit };
}

type Form = Pick<ReturnType<typeof useAdminForm>, 'submit' | 'failure' | 'isBusy'>;

interface AdminFormProps {
  form: Form;
  /** The label of the button that sends it. */
  verb: string;
  isDisabled?: boolean;
  /** Wide in a wide dialog. */
  className?: string | undefined;
  onCancel?: () => void;
  children: ReactNode;
}

/** The fields of a form, why it was refused, and its buttons. */
export function AdminForm({ form, verb, isDisabled, className = classes.form, onCancel, children }: AdminFormProps) {
  const { t } = useTranslation();
  return (
    <form className={className} onSubmit={(event) => void form.submit(event)} noValidate>
      <FailureAlert sentence={form.failure} />
      {children}
      <ButtonRow end>
        {onCancel && <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>}
        <BusyButton type="submit" variant="filled" isBusy={form.isBusy} disabled={isDisabled}>
          {verb}
        </BusyButton>
      </ButtonRow>
    </form>
  );
}

interface FormDialogProps extends AdminFormProps {
  title: string;
  /** In place of the form once there is something. */
  result?: ReactNode;
  onClose: () => void;
}

/** A form in a dialog. */
export function FormDialog({ title, result, onClose, ...form }: FormDialogProps) {
  return (
    <Modal title={title} onClose={onClose}>
      {result || <AdminForm {...form} />}
    </Modal>
  );
}

/** A setting is read again when its page is opened or looked at: another administrator may have changed it. */
export const REREAD = { refetchOnMount: 'always', refetchOnWindowFocus: 'always' } as const;

interface SettingOptions<Values extends object> extends FormOptions<Values> {
  /** What the environment (the name of its variable) or the configuration file (null) decides, by part. */
  fixed: Readonly<Record<string, string | null>>;
}

/** The form of a setting of the server: what is decided elsewhere is shown, and cannot be changed. */
export function useSettingForm<Values extends Record<string, string>>({ fixed, ...options }: SettingOptions<Values>) {
  const { t } = useTranslation();
  const form = useAdminForm(options);
  const { initial } = options;
  const names = Object.keys(initial);
  return {
    ...form,
    isChanged: names.some((name) => form.values[name]?.trim() !== initial[name]),
    isFixed: (parts: readonly string[]) => parts.every((part) => part in fixed),
    /** The props that a field has of a part, which `hint` explains. */
    part(name: string, hint: string) {
      const variable = fixed[name];
      const decided =
        variable === null ? t('com_people_domains_fixed') : t('com_retention_fixed', { 0: variable ?? '' });
      return { disabled: name in fixed, description: name in fixed ? decided : hint };
    },
  };
}

interface SettingFormProps {
  form: Pick<ReturnType<typeof useSettingForm>, 'submit' | 'isBusy' | 'isChanged' | 'isFixed'>;
  /** All that can be changed, where it is not fixed. */
  parts: readonly string[];
  children: ReactNode;
}

export function SettingForm({ form: { submit, isBusy, isChanged, isFixed }, parts, children }: SettingFormProps) {
  const { t } = useTranslation();
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {children}
      {!isFixed(parts) && (
        <div>
          <BusyButton type="submit" isBusy={isBusy} disabled={!isChanged}>
            {t('com_ui_save')}
          </BusyButton>
        </div>
      )}
    </form>
  );
}
