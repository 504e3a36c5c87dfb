// Who may register: what administrators chose, under what the environment and the yaml file say. Every process follows
// a change at once, and at the latest after a minute.
import type { Db, Query } from '@parley/db/client';
import { serverSettings } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { REGISTRATION_MODES, type RegistrationRules } from '@parley/schema/accounts/registration';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { refuse } from '../../platform/errors.ts';
import type { Subscription } from '../../platform/pubsub.ts';

export interface Registration {
  rules(): Promise<RegistrationRules>;
  /** Whether whoever has no invitation may register, as far as this process knows. */
  isOpen(): Promise<boolean>;
  /**
   * Whether who registers now is the first person here: it is open, and nobody has an account. Once somebody has one,
   * nothing is read.
   */
  awaitsFirst(): Promise<boolean>;
  /** The next call reads what is stored. */
  forget(): void;
}

export const REGISTRATION = 'registration';
/** The topic that tells that the setting has changed. */
export const REGISTRATION_TOPIC = 'settings:registration';

/** A notification may be lost. */
const MAX_AGE_MS = 60_000;
const AT_ONCE = AbortSignal.abort();

const Stored = z.object({ mode: z.enum(REGISTRATION_MODES), allowedDomains: z.array(z.string()) });
const UNSET: StoredRegistration = { mode: 'open', allowedDomains: [], version: 0 };

export interface StoredRegistration extends RegistrationRules {
  version: number;
}

interface From {
  db: Db;
  config: Pick<Config, 'accounts'>;
  /** Of `REGISTRATION_TOPIC`. */
  changes: Pick<Subscription, 'next'>;
}

export function createRegistration({ db, config, changes }: From, clock = () => performance.now()): Registration {
  let known: { at: number; stored: Promise<StoredRegistration> } | null = null;
  let hasPeople = false;
  return { rules, isOpen, awaitsFirst, forget: () => void (known = null) };

  async function rules(): Promise<RegistrationRules> {
    // Then nothing is read, ever.
    if (isModeFixed(config) && areDomainsFixed(config)) return effectiveRules(config, UNSET);
    if ((await changes.next(AT_ONCE)) > 0) known = null;
    if (known && clock() - known.at > MAX_AGE_MS) known = null;
    const reading = (known ??= { at: clock(), stored: readRegistration(db.query) });
    try {
      return effectiveRules(config, await reading.stored);
    } catch (error) {
      if (known === reading) known = null;
      throw error;
    }
  }

  async function isOpen(): Promise<boolean> {
    const { mode } = await rules().catch(() => effectiveRules(config, UNSET));
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

/** Nobody has chosen anything: version 0. */
export async function readRegistration(query: Query): Promise<StoredRegistration> {
  const [row] = await query.select().from(serverSettings).where(eq(serverSettings.name, REGISTRATION));
  const value = Stored.safeParse(row?.value);
  return row && value.success ? { ...value.data, version: row.version } : { ...UNSET, version: row?.version ?? 0 };
}

export function effectiveRules({ accounts }: Pick<Config, 'accounts'>, stored: RegistrationRules): RegistrationRules {
  return {
    mode: accounts.registration ?? stored.mode,
    allowedDomains: accounts.allowedDomains.length > 0 ? accounts.allowedDomains : stored.allowedDomains,
  };
}

export function isModeFixed({ accounts }: Pick<Config, 'accounts'>): boolean {
  return accounts.registration !== null;
}

export function areDomainsFixed({ accounts }: Pick<Config, 'accounts'>): boolean {
  return accounts.allowedDomains.length > 0;
}

export function isOpenMode(mode: RegistrationRules['mode']): boolean {
  return mode === 'open' || mode === 'approval';
}

/** An empty list allows every domain. @throws Refusal `email_domain_not_allowed` */
export function assertDomainAllowed(allowed: readonly string[], email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain)) refuse({ type: 'email_domain_not_allowed' });
}
