import type { TextInputProps } from '@mantine/core';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { PasswordField as PasswordBox } from '../ui/fields/password-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';

type FieldProps = Pick<
  TextInputProps,
  'name' | 'value' | 'onChange' | 'type' | 'autoComplete' | 'autoFocus' | 'readOnly'
> & {
  label: ParseKeys;
  error: ParseKeys | undefined;
  isOptional?: boolean;
};

/** A labelled text input with its validation error below. */
export function Field({ label, error, isOptional, ...input }: FieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      {...input}
      isLarge
      label={t(label)}
      error={error && t(error)}
      aria-required={!isOptional}
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** A password input that can show its text. */
export function PasswordField({ label, error, ...input }: FieldProps) {
  const { t } = useTranslation();
  return <PasswordBox {...input} isLarge label={t(label)} error={error && t(error)} data-testid={input.name} />;
}

interface NewPasswordFieldsProps extends Pick<FieldProps, 'autoFocus'> {
  label?: ParseKeys;
  field: (name: 'password' | 'confirm_password') => Pick<FieldProps, 'name' | 'value' | 'onChange'>;
  errors: Partial<Record<'password' | 'confirm_password', ParseKeys>>;
}

/** A password that is chosen, and the same again. */
export function NewPasswordFields({
  label = 'com_auth_new_password',
  field,
  errors,
  autoFocus,
}: NewPasswordFieldsProps) {
  const again = { label: 'com_auth_password_confirm', error: errors.confirm_password } as const;
  return (
    <>
      <PasswordField
        {...field('password')}
        label={label}
        error={errors.password}
        autoComplete="new-password"
        autoFocus={autoFocus}
      />
      <PasswordField {...field('confirm_password')} {...again} autoComplete="new-password" />
    </>
  );
}
