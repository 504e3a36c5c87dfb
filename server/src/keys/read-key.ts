import type { Db } from '@parley/db/client';
import { keyNameOf } from '@parley/schema/accounts/key-name';
import type { UserKey } from '../providers/user-key.ts';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { eraseExpired, findEncrypted } from './keys.ts';
import type { Encryption } from './encryption.ts';

/** The only place that decrypts users' keys. */
export function createUserKey(db: Db, encryption: Encryption, pluginsUseAzure: boolean): UserKey {
  return async (userId, endpoint) => {
    const name = keyNameOf(endpoint, pluginsUseAzure);
    const row = (await findEncrypted(db, userId, name)) ?? refuse({ type: 'no_user_key', endpoint });
    if (row.hasExpired && row.expiresAt) {
      await eraseExpired(db, userId, name);
      refuse({ type: 'expired_user_key', endpoint, expiredAt: isoTime(row.expiresAt) });
    }
    return encryption.decrypt(row.encrypted, { userId, name }) ?? refuse({ type: 'invalid_user_key', endpoint });
  };
}
