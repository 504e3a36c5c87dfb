import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/PasswordInput.css';
import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './auth.module.css';

type FieldProps = Pick<TextInputProps, 'name' | 'value' | 'onChange' | 'type' | 'autoComplete' | 'autoFocus'> & {
  label: ParseKeys;
  error: ParseKeys | undefined;
  isOptional?: boolean;
};

const shared = { label: classes.label, input: classes.input, error: classes.problem };

/** A labelled line of text with the sentence of its broken rule below. */
export function Field({ label, error, isOptional, ...input }: FieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      {...input}
      label={t(label)}
      error={error && t(error)}
      aria-required={!isOptional}
      classNames={shared}
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** A password that can be looked at before it is sent. */
export function PasswordField({ label, error, ...input }: FieldProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...input}
      label={t(label)}
      error={error && t(error)}
      aria-required
      aria-invalid={error ? true : undefined}
      classNames={{ ...shared, innerInput: classes.inner }}
      data-testid={input.name}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-label': t(isVisible ? 'com_auth_password_hide' : 'com_auth_password_show'),
      }}
    />
  );
}
