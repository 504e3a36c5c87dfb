// One file store is one file with one call of `defineStore`: its variables, its settings and the store itself. Its word
// is a row of STORE_SOURCES in `@parley/schema/files/stored-file`.
import type { StoreSource } from '@parley/schema/files/stored-file';
import { configError } from '../config/config-error.ts';
import type { ReadEnv, EnvRows } from '../config/env/env.ts';
import type { FileStore } from './file-store.ts';

interface StoreSpec<Rows extends EnvRows, Needed extends keyof Rows & string, Settings extends object> {
  /** Its word in `fileStrategy`, and in the rows of its files. */
  source: StoreSource;
  /** Its own environment variables. */
  env: Rows;
  /** Without these it is not configured. */
  needs: readonly Needed[];
  /** @throws ConfigError for settings that cannot work */
  configure(env: Given<Rows, Needed>): Settings;
  create(settings: Settings): FileStore;
}

type Given<Rows extends EnvRows, Needed extends keyof Rows> = ReadEnv<Rows> & {
  [Name in Needed]: NonNullable<ReturnType<Rows[Name]>>;
};

export interface StoreDefinition<Rows extends EnvRows = EnvRows> {
  source: StoreSource;
  env: Rows;
  /** Null when its variables are not set: then no file can be in it. @throws ConfigError when it is chosen */
  configure(env: ReadEnv<Rows>, isChosen: boolean): ConfiguredStore | null;
}

export interface ConfiguredStore {
  source: StoreSource;
  /** For the configuration tree. */
  settings: object;
  create(): FileStore;
}

export function defineStore<Rows extends EnvRows, Needed extends keyof Rows & string, Settings extends object>(
  spec: StoreSpec<Rows, Needed, Settings>,
): StoreDefinition<Rows> {
  const { source, env: rows, needs } = spec;
  const isComplete = (env: ReadEnv<Rows>): env is Given<Rows, Needed> => needs.every((name) => env[name]);
  return {
    source,
    env: rows,
    configure(env, isChosen) {
      if (isComplete(env)) {
        const settings = spec.configure(env);
        return { source, settings, create: () => spec.create(settings) };
      }
      if (!isChosen) return null;
      throw configError(`fileStrategy is ${source}, so ${listed(needs)} must be set.`);
    },
  };
}

/** Those that are configured, the chosen one among them: a store that was used before stays readable. */
export function configureStores(
  definitions: readonly StoreDefinition[],
  env: ReadEnv<EnvRows>,
  chosen: StoreSource,
): ConfiguredStore[] {
  return definitions.flatMap((one) => one.configure(env, one.source === chosen) ?? []);
}

function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}
