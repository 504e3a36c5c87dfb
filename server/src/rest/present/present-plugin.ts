import type { Plugin } from '@parley/schema/tools/plugins';

/** A plugin as existing clients know it. `authenticated` appears only where the operator's values fill all fields. */
export function presentPlugin({ name, key, description, icon, fields, isAuthenticated }: Plugin) {
  return {
    name,
    pluginKey: key,
    description,
    icon,
    authConfig: fields.map(({ field, label, description: text }) => ({ authField: field, label, description: text })),
    ...(isAuthenticated && { authenticated: true }),
  };
}
