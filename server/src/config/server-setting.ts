// What administrators set for the whole server, under what the environment and the yaml file say. A setting is one
// definition, which says what is stored, and one row of `server_settings`.
import type { Db, Query } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import { isObject } from '@parley/schema/json';
import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import type { DeepReadonly } from './freeze.ts';
import type { AccountsConfig } from './parts/accounts.ts';

/** What the environment and the yaml file say, as far as settings need it. */
export type SettingConfig = DeepReadonly<{ accounts: AccountsConfig }>;

interface Definition<Value extends object> {
  /** Of its row, its topic and its event. */
  name: string;
  /** What is stored and what administrators send. */
  schema: z.ZodType<Value, Value>;
  /** The parts that the environment or the yaml file decides: they win, whatever is stored. */
  env: (config: SettingConfig) => Partial<Value>;
  /** The variable that decides each part, as administrators are told; null where the yaml file does. */
  source: Readonly<Record<keyof Value & string, string | null>>;
  /** Holds where nothing is stored, or what no longer fits; a part that is missing in the row has its value of here. */
  default: Value;
  /** What the event of a change says, `<name>.changed`: names and figures, as the log keeps them. */
  audit: (value: Value) => Record<string, string | number | boolean | null>;
}

export interface ServerSetting<Value extends object> extends Definition<Value> {
  /** Tells the other processes that it has changed. */
  topic: string;
  /** What administrators have chosen; version 0 while they have chosen nothing. */
  read: (query: Query) => Promise<{ value: Value; version: number }>;
  /** What holds, where `value` is stored. */
  under: (config: SettingConfig, value: Value) => Value;
  /** What holds now. */
  current: (from: { db: Db; config: SettingConfig }) => Promise<Value>;
  /** What holds, as the page of administrators has it. */
  show: (from: { db: Db; config: SettingConfig }) => Promise<ShownSetting<Value>>;
}

type ShownSetting<Value extends object> = Value & {
  /** A change names it, so that nobody overwrites what they have not seen. */
  version: number;
  /** What decides the parts that administrators cannot change, as in `source`. */
  fixed: Readonly<Record<string, string | null>>;
};

export function defineServerSetting<Value extends object>(definition: Definition<Value>): ServerSetting<Value> {
  const { name, schema, env, source } = definition;
  const under = (config: SettingConfig, value: Value): Value => ({ ...value, ...env(config) });
  return {
    ...definition,
    topic: `settings:${name}`,
    read,
    under,
    current: async ({ db, config }) => under(config, (await read(db.query)).value),
    async show({ db, config }) {
      const { value, version } = await read(db.query);
      const fixed = Object.entries<string | null>(source).filter(([part]) => part in env(config));
      return { ...under(config, value), version, fixed: Object.fromEntries(fixed) };
    },
  };

  async function read(query: Query): Promise<{ value: Value; version: number }> {
    const [row] = await query.select().from(serverSettings).where(eq(serverSettings.name, name));
    const stored = isObject(row?.value) && schema.safeParse({ ...definition.default, ...row.value });
    return { value: (stored && stored.data) || definition.default, version: row?.version ?? 0 };
  }
}
