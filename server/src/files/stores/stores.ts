// All stores beside the folder of this machine.
import type { Env } from '../../config/env/env.ts';
import type { Yaml } from '../../config/yaml/yaml-schema.ts';
import { configureStores, type ConfiguredStore } from '../../storage/define-store.ts';
import { firebase } from './firebase.ts';
import { openAI } from './openai.ts';
import { s3 } from './s3.ts';

export const STORES = [s3, firebase, openAI] as const;

/** Those that are configured. @throws ConfigError */
export function storesConfig(env: Env, yaml: Yaml): ConfiguredStore[] {
  return configureStores(STORES, env, yaml.fileStrategy ?? 'local');
}
