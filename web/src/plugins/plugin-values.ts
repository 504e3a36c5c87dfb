// The values that a plugin asks for, and what its form accepts.
import type { Plugin, PluginField } from '@parley/schema/tools/plugins';
import { PLUGIN_VALUE_MIN } from '@parley/schema/tools/plugin-value';
import type { TFunction } from 'i18next';
import { fieldLabel } from './field-labels.ts';

export type Values = Readonly<Record<string, string>>;

/** The fields of the form: what a plugin works without is not asked for. */
export function askedFields({ fields }: Pick<Plugin, 'fields'>): PluginField[] {
  return fields.filter(({ isOptional }) => !isOptional);
}

/** Whether a person fills in the form before the plugin is installed. */
export function needsForm(plugin: Pick<Plugin, 'fields' | 'isAuthenticated'>): boolean {
  return !plugin.isAuthenticated && askedFields(plugin).some(({ isSaved }) => !isSaved);
}

/** The name of the value that a field saves: the first of its alternatives. */
export function fieldValueName({ field }: Pick<PluginField, 'field'>): string {
  return field.split('||')[0] ?? field;
}

/** What is wrong with a value, in words for people; null when nothing is. */
export function valueProblem(field: Pick<PluginField, 'field' | 'label'>, value: string, t: TFunction): string | null {
  const { length } = value.trim();
  const label = fieldLabel(field, t);
  if (length === 0) return t('com_plugins_field_required', { 0: label });
  return length < PLUGIN_VALUE_MIN ? t('com_plugins_field_min', { 0: label }) : null;
}
