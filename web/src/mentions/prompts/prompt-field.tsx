import '@mantine/core/styles/Input.css';
import { Textarea } from '@mantine/core';
import type { Field } from '@parley/schema/prompts/placeholders';
import { useTranslation } from 'react-i18next';
import { fieldClasses } from '../../ui/fields/field-classes.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

interface PromptFieldProps {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}

const LINE_TYPES = { text: 'text', date: 'date', number: 'number' } as const;

/** A field of a prompt, by its kind. */
export function PromptField({ field: { name, kind, choices, isRequired }, value, onChange }: PromptFieldProps) {
  const { t } = useTranslation();
  const common = { label: name, required: isRequired, value };
  if (kind === 'long') {
    return (
      <Textarea
        {...common}
        classNames={fieldClasses}
        rows={3}
        dir="auto"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'choice' || kind === 'yesno') {
    const listed = kind === 'choice' ? choices : [t('com_prompts_yes'), t('com_prompts_no')];
    const options = ['', ...listed].map((option) => ({ value: option, label: option === '' ? '–' : option }));
    return <SelectField {...common} options={options} onChange={onChange} />;
  }
  return (
    <TextField
      {...common}
      type={LINE_TYPES[kind]}
      dir="auto"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
