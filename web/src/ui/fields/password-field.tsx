import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldClasses, largeFieldClasses } from './field-classes.ts';
import classes from './field.module.css';

interface PasswordFieldProps extends Omit<PasswordInputProps, 'size'> {
  isLarge?: boolean;
}

/** A password or key input: masked until the user shows it. */
export function PasswordField({ isLarge = false, error, ...input }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [isVisible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...input}
      error={error}
      aria-required
      aria-invalid={error ? true : undefined}
      classNames={{
        ...(isLarge ? largeFieldClasses : fieldClasses),
        innerInput: classes.inner,
        visibilityToggle: classes.toggle,
      }}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-label': t(isVisible ? 'com_auth_password_hide' : 'com_auth_password_show'),
      }}
    />
  );
}
