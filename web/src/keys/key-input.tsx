import '../auth/lazy-words.ts';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyField } from './key-forms.ts';
import classes from './key-dialog.module.css';

interface KeyInputProps {
  field: KeyField;
  value: string;
  isMissing: boolean;
  isFirst: boolean;
  onChange: (value: string) => void;
}

/** One value of a key. A secret is hidden from who looks over the shoulder, and is none of a password manager's. */
export function KeyInput({ field, value, isMissing, isFirst, onChange }: KeyInputProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  const shared = {
    name: field.name,
    label: t(field.label),
    description: field.hint && t(field.hint),
    value,
    error: isMissing,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    'aria-required': true,
    'data-autofocus': isFirst || undefined,
    'data-1p-ignore': true,
    'data-lpignore': 'true',
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  // An address is read from left to right in every language.
  if (!field.isSecret) return <TextInput {...shared} dir="ltr" classNames={{ label: classes.label }} />;
  return (
    <PasswordInput
      {...shared}
      aria-invalid={isMissing || undefined}
      classNames={{ label: classes.label, innerInput: classes.inner, input: classes.secret }}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-label': t(isVisible ? 'com_auth_password_hide' : 'com_auth_password_show'),
      }}
    />
  );
}
