import type { Db } from '@parley/db/client';
import { keyNameOf } from '@parley/schema/key-name';
import type { UserKey } from '../endpoints/user-key.ts';
import { refuse } from '../errors.ts';
import { isoOf } from '../messages/present.ts';
import { findSealed } from './keys.ts';
import type { Seal } from './seal.ts';

/** How endpoints come by what a user saved: the one place where it is opened. */
export function createUserKey(db: Db, seal: Seal, pluginsUseAzure: boolean): UserKey {
  return async (userId, endpoint) => {
    const name = keyNameOf(endpoint, pluginsUseAzure);
    const row = (await findSealed(db, userId, name)) ?? refuse({ type: 'no_user_key', endpoint });
    if (row.hasExpired && row.expiresAt)
      refuse({ type: 'expired_user_key', endpoint, expiredAt: isoOf(row.expiresAt) });
    return seal.open(row.sealed, { userId, name }) ?? refuse({ type: 'invalid_user_key', endpoint });
  };
}
