import type { Plugin } from '@parley/schema/tools/plugins';
import { letterIcon } from '../../plugins/icon.ts';
import { findPlugin } from '../../plugins/manifest.ts';
import type { ChosenTool, RestPlugin } from '../shapes/plugin.ts';

/** A plugin as existing clients know it. `authenticated` appears only where the operator's values fill all fields. */
export function presentPlugin({ name, key, description, icon, fields, isAuthenticated }: Plugin): RestPlugin {
  return {
    name,
    pluginKey: key,
    description,
    icon,
    authConfig: fields.map(({ field, label, description: text }) => ({ authField: field, label, description: text })),
    ...(isAuthenticated && { authenticated: true }),
  };
}

/**
 * The chosen tools of a conversation or preset, whole: a client refuses all settings where one field of a plugin is
 * missing. A tool that is no plugin is called by its key.
 */
export function presentChosenTools(keys: readonly unknown[]): ChosenTool[] {
  return keys.filter(isText).map((key) => {
    const plugin = findPlugin(key);
    if (!plugin) return { name: key, pluginKey: key, description: '', icon: letterIcon(key), authConfig: [] };
    const { name, description, fields } = plugin;
    const authConfig = fields.map(({ names, label, description: text }) => ({
      authField: names.join('||'),
      label,
      description: text,
    }));
    return { name, pluginKey: key, description, icon: letterIcon(name), authConfig };
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
