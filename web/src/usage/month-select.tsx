import { useTranslation } from 'react-i18next';
import { SelectField } from '../ui/fields/select-field.tsx';
import { monthName } from './usage-words.ts';

interface MonthSelectProps {
  month: string;
  /** Those that can be looked at. */
  months: readonly string[];
  onChange: (month: string) => void;
}

export function MonthSelect({ month, months, onChange }: MonthSelectProps) {
  const { t, i18n } = useTranslation();
  const options = [...new Set([month, ...months])].toSorted().toReversed();
  return (
    <SelectField
      aria-label={t('com_usage_month')}
      value={month}
      options={options.map((value) => ({ value, label: monthName(value, i18n.language) }))}
      onChange={onChange}
    />
  );
}
