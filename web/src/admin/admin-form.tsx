import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../auth/failure-alert.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import classes from './admin.module.css';
import { useAdminAction, type ActionOptions, type Changed } from './use-admin-action.ts';

interface FormOptions<Values extends object> extends ActionOptions {
  initial: Values;
  /** What is wrong, by field; false for what is right. */
  check?: (values: Values) => { readonly [Name in keyof Values]?: string | false };
  /** Sends what is right. */
  save: (values: Values) => Promise<unknown>;
  /** What is read again once it is saved. */
  changed: Changed;
  onSaved?: () => void;
}

/** What is typed into a form. What is wrong with it is said once the form was sent, until it is right. */
export function useAdminForm<Values extends object>(options: FormOptions<Values>) {
  const { initial, check, save, changed, onSaved, ...action } = options;
  const { act, ...state } = useAdminAction(changed, action);
  const [values, setValues] = useState(initial);
  const [isTried, setTried] = useState(false);
  const wrong: ReturnType<NonNullable<typeof check>> = check?.(values) ?? {};
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) =>
    setValues((before) => ({ ...before, [name]: value }));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (state.isBusy || Object.values(wrong).some(Boolean)) return;
    if (await act(() => save(values))) onSaved?.();
  }

  return {
    ...state,
    act,
    values,
    submit,
    error: (name: keyof Values) => isTried && wrong[name],
    /** The props of a field that is typed into. */
    typed: (name: keyof Values) => ({
      value: String(values[name]),
      error: isTried && wrong[name],
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
        setValues((before) => ({ ...before, [name]: value })),
    }),
    /** The props of a field of options. */
    picked: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => set(name, value),
    }),
  };
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
