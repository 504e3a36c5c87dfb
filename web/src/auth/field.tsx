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
