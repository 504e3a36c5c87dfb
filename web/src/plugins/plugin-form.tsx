import type { Plugin, PluginField } from '@parley/schema/tools/plugins';
import { createElement, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useEscapeLevel } from '../dialogs/escape-levels.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { pluginIcon } from './plugin-icon.ts';
import { fieldHint, fieldLabel } from './field-labels.ts';
import { askedFields, valueProblem, fieldValueName, type Values } from './plugin-values.ts';
import classes from './plugin-store.module.css';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface PluginFormProps {
  plugin: Plugin;
  isBusy: boolean;
  /** The values by their names, without spaces around them. */
  onSave: (values: Values) => void;
  onCancel: () => void;
}

/** Asks for the values that a plugin needs. */
export function PluginForm({ plugin, isBusy, onSave, onCancel }: PluginFormProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Values>({});
  useEscapeLevel(onCancel);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const fields = askedFields(plugin).map((field) => {
    const name = fieldValueName(field);
    const value = values[name] ?? '';
    return { field, name, value, problem: valueProblem(field, value, t) };
  });
  const isValid = fields.every(({ problem }) => problem === null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isValid || isBusy) return;
    onSave(Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()])));
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.head}>
        <span className={classes.sign}>{createElement(pluginIcon(plugin.key), { 'aria-hidden': true })}</span>
        <h3 className={classes.name} dir="auto">
          {plugin.name}
        </h3>
      </div>
      <p className={classes.note}>{t('com_plugins_needs_values', { 0: plugin.name })}</p>
      {fields.map(({ field, name, value, problem }, index) => (
        <FieldInput
          key={name}
          field={field}
          name={name}
          value={value}
          problem={left.has(name) ? problem : null}
          isFirst={index === 0}
          onChange={(next) => setValues((before) => ({ ...before, [name]: next }))}
          onLeave={() => setLeft((before) => new Set(before).add(name))}
        />
      ))}
      <ButtonRow end className={classes.buttons}>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <SaveButton isBusy={isBusy} disabled={!isValid} />
      </ButtonRow>
    </form>
  );
}

interface FieldInputProps {
  field: PluginField;
  name: string;
  value: string;
  problem: string | null;
  isFirst: boolean;
  onChange: (value: string) => void;
  onLeave: () => void;
}

/** Password managers leave it alone: it is no password of this site. */
function FieldInput({ field, name, value, problem, isFirst, onChange, onLeave }: FieldInputProps) {
  const { t } = useTranslation();
  const shared = {
    name,
    label: fieldLabel(field, t),
    description: fieldHint(field, t),
    value,
    error: problem,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    // The form replaces the list in an open dialog, whose own focus has been set before.
    autoFocus: isFirst,
    // Or it opens with the dialog, which chooses by this.
    'data-autofocus': isFirst || undefined,
    'data-1p-ignore': true,
    'data-lpignore': 'true',
    onChange: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
    // An untouched field is not wrong yet.
    onBlur: () => value !== '' && onLeave(),
  };
  // An address reads left to right in every language.
  if (field.isAddress) return <TextField {...shared} aria-required dir="ltr" type="url" />;
  return <PasswordField {...shared} />;
}
