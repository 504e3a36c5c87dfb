// Who may register, as administrators set it.
import type { Db } from '@parley/db/client';
import type { RegistrationSetting, SetRegistration } from '@parley/schema/accounts/people';
import {
  areDomainsFixed,
  effectiveRules,
  isModeFixed,
  readRegistration,
  REGISTRATION,
  REGISTRATION_TOPIC,
  type Registration,
} from '../../auth/registration/registration.ts';
import type { Config } from '../../config/config.ts';
import type { Actor } from '../audit-events.ts';
import { saveChange, writeSetting } from '../saved/change.ts';

interface From {
  db: Db;
  config: Pick<Config, 'accounts'>;
}

interface Changed extends From {
  registration: Pick<Registration, 'forget'>;
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
export function setRegistration(
  { db, config, registration }: Changed,
  actor: Actor,
  input: SetRegistration,
): Promise<null> {
  const reload = async () => registration.forget();
  return saveChange({ db, topic: REGISTRATION_TOPIC, reload }, actor, async (tx) => {
    const { mode, allowedDomains } = await readRegistration(tx);
    const value = {
      mode: isModeFixed(config) ? mode : input.mode,
      allowedDomains: areDomainsFixed(config) ? allowedDomains : [...new Set(input.allowedDomains)],
    };
    await writeSetting(tx, actor, { name: REGISTRATION, value, version: input.version });
    const details = { mode: value.mode, domains: value.allowedDomains.join(', ').slice(0, 2_000) };
    return { event: 'registration.changed', details };
  });
}
