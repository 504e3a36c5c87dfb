// Who may register, as administrators set it.
import { notifyAtCommit, type Db } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import type { RegistrationSetting, SetRegistration } from '@parley/schema/accounts/people';
import { eq, sql } from 'drizzle-orm';
import {
  areDomainsFixed,
  effectiveRules,
  isModeFixed,
  readRegistration,
  REGISTRATION,
  REGISTRATION_TOPIC,
} from '../../auth/registration/registration.ts';
import type { Config } from '../../config.ts';
import { refuse } from '../../platform/errors.ts';
import { recordEvent, type Actor } from '../audit-events.ts';
import { assertStillAdministrator } from './change-person.ts';

interface From {
  db: Db;
  config: Pick<Config, 'accounts'>;
}

export async function registrationSetting({ db, config }: From): Promise<RegistrationSetting> {
  const stored = await readRegistration(db.query);
  return {
    ...effectiveRules(config, stored),
    version: stored.version,
    isModeFixed: isModeFixed(config),
    areDomainsFixed: areDomainsFixed(config),
  };
}

/**
 * What the environment or the yaml file decides stays as it is stored.
 * @throws Refusal `conflict` when somebody else has changed it since it was read
 */
export async function setRegistration({ db, config }: From, actor: Actor, input: SetRegistration): Promise<void> {
  await db.query.transaction(async (tx) => {
    await assertStillAdministrator(tx, actor);
    const { mode, allowedDomains, version } = await readRegistration(tx);
    if (version !== input.version) refuse(CHANGED);
    const value = {
      mode: isModeFixed(config) ? mode : input.mode,
      allowedDomains: areDomainsFixed(config) ? allowedDomains : [...new Set(input.allowedDomains)],
    };
    const set = { value, version: version + 1, changedBy: actor.id, changedAt: sql`now()` };
    const saved = await tx
      .insert(serverSettings)
      .values({ name: REGISTRATION, ...set })
      .onConflictDoUpdate({
        target: serverSettings.name,
        set,
        setWhere: eq(serverSettings.version, version),
      })
      .returning({ version: serverSettings.version });
    if (saved.length === 0) refuse(CHANGED);
    const details = { mode: value.mode, domains: value.allowedDomains.join(', ').slice(0, 2_000) };
    await recordEvent(tx, actor, { event: 'registration.changed', details });
    notifyAtCommit(tx, REGISTRATION_TOPIC);
  });
}

const CHANGED = {
  type: 'conflict',
  text: 'Somebody else has changed this meanwhile. What is set now is shown; please change it again.',
} as const;
