import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/fields/password-field.tsx';

interface CurrentPasswordFieldProps {
  value: string;
  onChange: (value: string) => void;
  isWrong: boolean;
}

/** The password of who is signed in, first in a dialog that needs it. */
export function CurrentPasswordField({ value, onChange, isWrong }: CurrentPasswordFieldProps) {
  const { t } = useTranslation();
  return (
    <PasswordField
      isLarge
      label={t('com_nav_password_current')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isWrong ? t('com_nav_password_wrong') : undefined}
      autoComplete="current-password"
      maxLength={128}
      data-autofocus
    />
  );
}
