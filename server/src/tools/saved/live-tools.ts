// The configuration of tools, which follows what administrators set, without a restart. It is read where a tool is made:
// an answer that runs keeps what it began with.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@parley/db/client';
import type { LiveSettings } from '../../catalog/live/follow-saved.ts';
import type { Config } from '../../config/config.ts';
import type { Encryption } from '../../keys/encryption.ts';
import { openedTool, storedTools } from './saved-tools.ts';
import { withSavedTools, type FieldsOf } from './with-saved.ts';

interface Parts {
  db: Db;
  config: Config;
  encryption: Encryption;
  fieldsOf: FieldsOf;
  onChanged: () => void;
  onFault: (error: unknown) => void;
}

/** Already with what is saved: `config` has it at any moment. */
export async function createLiveTools(parts: Parts): Promise<{ config: Config; toolSettings: LiveSettings }> {
  const { db, config, encryption, fieldsOf, onChanged, onFault } = parts;
  const read = async () => (await storedTools(db.query)).map((row) => openedTool(row, encryption));
  let saved = await read();
  let current = withSavedTools(config, saved, fieldsOf);
  let reloading = Promise.resolve();
  const follow = (name: keyof typeof current) => ({ get: () => current[name], enumerable: true });
  const descriptors = { ...Object.getOwnPropertyDescriptors(config), ...followed(follow) };
  const toolSettings: LiveSettings = {
    version: 0,
    offTypes: current.tools.filter.offTools ?? [],
    operators: config,
    reload: () => (reloading = reloading.then(look).catch(onFault)),
  };
  return { config: Object.defineProperties({}, descriptors) as Config, toolSettings };

  async function look(): Promise<void> {
    const now = await read();
    if (isDeepStrictEqual(now, saved)) return;
    saved = now;
    current = withSavedTools(config, saved, fieldsOf);
    toolSettings.version++;
    toolSettings.offTypes = current.tools.filter.offTools ?? [];
    onChanged();
  }
}

function followed(follow: (name: 'plugins' | 'mcp' | 'tools') => PropertyDescriptor) {
  return { plugins: follow('plugins'), mcp: follow('mcp'), tools: follow('tools') };
}
