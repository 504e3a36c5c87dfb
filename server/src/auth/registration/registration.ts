// Who may register: what administrators chose, under what the environment and the yaml file say. Every process follows
// a change at once, and at the latest after a minute.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { SetRegistration } from '@parley/schema/accounts/people';
import type { RegistrationRules } from '@parley/schema/accounts/registration';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import type { Subscription } from '../../platform/pubsub.ts';
import { defineServerSetting } from '../../config/server-setting.ts';

export interface Registration {
  rules(): Promise<RegistrationRules>;
  /** Whether anyone who has no invitation may register, as far as this process knows. */
  isOpen(): Promise<boolean>;
  /**
   * Whether who registers now is the first person here: it is open, and nobody has an account. Once somebody has one,
   * nothing is read.
   */
  awaitsFirst(): Promise<boolean>;
  /** The next call reads what is stored. */
  forget(): void;
}

export const REGISTRATION = defineServerSetting<RegistrationRules>({
  name: 'registration',
  schema: SetRegistration,
  env: ({ accounts: { registration, allowedDomains } }) => ({
    ...(registration !== null && { mode: registration }),
    ...(allowedDomains.length > 0 && { allowedDomains }),
  }),
  source: { mode: 'ALLOW_REGISTRATION', allowedDomains: null },
  default: { mode: 'open', allowedDomains: [] },
  audit: ({ mode, allowedDomains }) => ({ mode, domains: allowedDomains.join(', ').slice(0, 2_000) }),
});

/** A notification may be lost. */
const MAX_AGE_MS = 60_000;
const AT_ONCE = AbortSignal.abort();

interface From {
  db: Db;
  config: Pick<Config, 'accounts'>;
  /** Of the topic of `REGISTRATION`. */
  changes: Pick<Subscription, 'next'>;
}

export function createRegistration({ db, config, changes }: From, clock = () => performance.now()): Registration {
  let known: { at: number; stored: Promise<RegistrationRules> } | null = null;
  let hasPeople = false;
  const unset = REGISTRATION.under(config, REGISTRATION.default);
  const isFixed = Object.keys(REGISTRATION.env(config)).length === Object.keys(unset).length;
  return { rules, isOpen, awaitsFirst, forget: () => void (known = null) };

  async function rules(): Promise<RegistrationRules> {
    // Then nothing is read, ever.
    if (isFixed) return unset;
    if ((await changes.next(AT_ONCE)) > 0) known = null;
    if (known && clock() - known.at > MAX_AGE_MS) known = null;
    const reading = (known ??= { at: clock(), stored: REGISTRATION.current({ db, config }) });
    try {
      return await reading.stored;
    } catch (error) {
      if (known === reading) known = null;
      throw error;
    }
  }

  async function isOpen(): Promise<boolean> {
    const { mode } = await rules().catch(() => unset);
    return isOpenMode(mode);
  }

  async function awaitsFirst(): Promise<boolean> {
    if (hasPeople || !(await isOpen())) return false;
    const someone = await db.query
      .select({ id: users.id })
      .from(users)
      .limit(1)
      .catch(() => null);
    hasPeople = someone !== null && someone.length > 0;
    return someone?.length === 0;
  }
}

export function isOpenMode(mode: RegistrationRules['mode']): boolean {
  return mode === 'open' || mode === 'approval';
}

/** An empty list allows every domain. @throws Refusal `email_domain_not_allowed` */
export function assertDomainAllowed(allowed: readonly string[], email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain)) refuse({ type: 'email_domain_not_allowed' });
}
