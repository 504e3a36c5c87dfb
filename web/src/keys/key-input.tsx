import { useTranslation } from 'react-i18next';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import type { KeyField } from './key-forms.ts';

interface KeyInputProps {
  field: KeyField;
  value: string;
  /** What is wrong with it. */
  error: string | undefined;
  isFirst: boolean;
  onChange: (value: string) => void;
}

/** One value of a key. A secret is masked, and password managers ignore it. */
export function KeyInput({ field, value, error, isFirst, onChange }: KeyInputProps) {
  const { t } = useTranslation();
  const shared = {
    name: field.name,
    label: t(field.label),
    description: field.hint && t(field.hint),
    value,
    error,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    'data-testid': `input-${field.name}`,
    'data-autofocus': isFirst || undefined,
    'data-1p-ignore': true,
    'data-lpignore': 'true',
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  // A URL reads left to right in every language.
  if (!field.isSecret) return <TextField {...shared} aria-required dir="ltr" />;
  return <PasswordField {...shared} />;
}
