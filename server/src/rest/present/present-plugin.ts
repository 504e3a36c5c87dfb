import type { Plugin } from '@parley/schema/tools/plugins';
import { iconOf } from '../../plugins/icon.ts';
import { findPlugin } from '../../plugins/manifest.ts';

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

/** The plugins that a conversation has chosen, whole; a tool that is no plugin has only its key. */
export function presentChosenTools(keys: readonly string[]): object[] {
  return keys.map((key) => {
    const plugin = findPlugin(key);
    if (!plugin) return { pluginKey: key };
    const { name, description, fields } = plugin;
    const authConfig = fields.map(({ names, label, description: text }) => ({
      authField: names.join('||'),
      label,
      description: text,
    }));
    return { name, pluginKey: key, description, icon: iconOf(name), authConfig };
  });
}
