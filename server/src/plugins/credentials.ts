// Which values a plugin works with: a person's own before the operator's, and never the operator's at an address of the
// person's own, where they would be given away.
import type { PluginField } from '../config/parts/plugins.ts';
import type { ManifestField, ManifestPlugin } from './manifest-plugin.ts';

export interface Credentials {
  /** By the first name of the field. */
  values: ReadonlyMap<PluginField, string>;
  /** The address of its server is the person's own. */
  isOwnAddress: boolean;
  /** The fields without a value. */
  missing: ManifestField[];
}

export function credentialsOf(
  { fields }: ManifestPlugin,
  own: ReadonlyMap<string, string>,
  operators: Partial<Readonly<Record<PluginField, string>>>,
): Credentials {
  const ownOf = (names: readonly PluginField[]) => names.map((name) => own.get(name)).find(Boolean);
  const operatorsOf = (names: readonly PluginField[]) => names.map((name) => operators[name]).find(Boolean);
  const isOwnAddress = fields.some(({ isAddress, names }) => isAddress && ownOf(names));
  const values = new Map<PluginField, string>();
  const missing: ManifestField[] = [];
  for (const field of fields) {
    const { names, isOptional } = field;
    const value = ownOf(names) ?? (isOwnAddress ? undefined : operatorsOf(names));
    if (value) values.set(names[0], value);
    else if (!isOptional) missing.push(field);
  }
  return { values, isOwnAddress, missing };
}
