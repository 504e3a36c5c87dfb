// Limits of uploads: how often, and how many at once.
import type { Db } from '@parley/db/client';
import { consume, ipNetwork } from '../../platform/rate-limiter.ts';
import type { Violations } from '../../abuse/violations.ts';
import type { Config } from '../../config/config.ts';
import type { Client } from '../../platform/requests/client.ts';
import { Refusal } from '../../platform/errors.ts';
import { createUploadSlots, type UploadSlots } from './upload-slots.ts';

export interface UploadLimits extends UploadSlots {
  /**
   * Counts an upload by address and by user.
   * @throws Refusal `too_many_attempts`, recorded as a violation of the user unless a program sends it
   */
  count(userId: string, client: Client, isProgram: boolean): Promise<void>;
}

export function createUploadLimits({
  db,
  limits,
  violations,
}: {
  db: Db;
  limits: Config['limits'];
  violations: Violations;
}): UploadLimits {
  return { ...createUploadSlots(), count };

  async function count(userId: string, { ip }: Client, isProgram: boolean): Promise<void> {
    const counters = [
      { key: `upload:ip:${ipNetwork(ip)}`, limit: limits.uploadsPerIp },
      { key: `upload:user:${userId}`, limit: limits.uploadsPerUser },
    ];
    for (const { key, limit } of counters) {
      const { allowed, retryAfterSeconds } = await consume(db, key, limit.max, limit.windowInMinutes * 60);
      if (allowed) continue;
      const violation = isProgram ? null : await violations.count({ userId, ip }, 'file_upload_limit');
      throw new Refusal({ type: 'too_many_attempts', retryAfterSeconds }, violation);
    }
  }
}
