// Tests of this room: tests/unit/plugins, tests/integration/plugins.

// Which values a plugin works with: a person's own before the operator's, and never the operator's at an address of the
// person's own, where they would be given away.
import type { ManifestField, ManifestPlugin } from './define-plugin.ts';

export interface Credentials {
  /** By the first name of the field. */
  values: ReadonlyMap<string, string>;
  /** The address of its server is the person's own. */
  isOwnAddress: boolean;
  /** The fields without a value. */
  missing: ManifestField[];
}

export function pluginCredentials(
  { fields }: ManifestPlugin,
  own: ReadonlyMap<string, string>,
  operators: Partial<Readonly<Record<string, string>>>,
): Credentials {
  const ownOf = (names: readonly string[]) => names.map((name) => own.get(name)).find(Boolean);
  const operatorsOf = (names: readonly string[]) => names.map((name) => operators[name]).find(Boolean);
  const isOwnAddress = fields.some(({ isAddress, names }) => isAddress && ownOf(names));
  const values = new Map<string, string>();
  const missing: ManifestField[] = [];
  for (const field of fields) {
    const { names, isOptional } = field;
    const value = ownOf(names) ?? (isOwnAddress ? undefined : operatorsOf(names));
    if (value) values.set(names[0], value);
    else if (!isOptional) missing.push(field);
  }
  return { values, isOwnAddress, missing };
}
