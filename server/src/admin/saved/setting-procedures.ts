import * as z from 'zod';
import type { CallServices } from '../../http/trpc.ts';
import type { ServerSetting } from '../../config/server-setting.ts';
import { adminProcedures } from '../admin-procedure.ts';
import type { Actor } from '../audit-events.ts';
import { saveChange, writeSetting } from './change.ts';

/**
 * Reads a setting of the server, and changes it. `reload` has this process follow a change that it makes; the others are
 * told by the topic of the setting.
 */
export function settingProcedures<Value extends object, Services>(
  setting: ServerSetting<Value>,
  reload: (deps: CallServices & Services) => Promise<void> = async () => {},
) {
  const { adminProcedure } = adminProcedures<Services>();
  const input = z.intersection(setting.schema, z.object({ version: z.int().nonnegative() }));
  return {
    get: adminProcedure.query(({ ctx }) => setting.show(ctx.deps)),

    set: adminProcedure.input(input).mutation(async ({ ctx: { deps, actor }, input: { version, ...chosen } }) => {
      await setSetting(setting, { deps, reload: () => reload(deps) }, actor, { chosen, version });
      return setting.show(deps);
    }),
  };
}

/**
 * What the environment or the yaml file decides stays as it is stored.
 * @throws Refusal `conflict` when somebody else has changed it since `version` was read
 */
function setSetting<Value extends object>(
  { name, topic, schema, env, read, audit }: ServerSetting<Value>,
  { deps: { db, config }, reload }: { deps: Pick<CallServices, 'db' | 'config'>; reload: () => Promise<void> },
  actor: Actor,
  { chosen, version }: { chosen: object; version: number },
): Promise<null> {
  return saveChange({ db, topic, reload }, actor, async (tx) => {
    const stored = await read(tx);
    const fixed = Object.entries(stored.value).filter(([part]) => part in env(config));
    const value = schema.parse({ ...chosen, ...Object.fromEntries(fixed) });
    await writeSetting(tx, actor, { name, value, version });
    return { event: `${name}.changed`, details: audit(value) };
  });
}
