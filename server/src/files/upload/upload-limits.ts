// Limits of uploads: how often, and how many at once.
import type { Db } from '@parley/db/client';
import { consume, networkOf } from '../../platform/rate-limiter.ts';
import type { Violations } from '../../abuse/violations.ts';
import type { Config } from '../../config.ts';
import type { Client } from '../../http/client.ts';
import { Refusal } from '../../platform/errors.ts';

export interface UploadLimits {
  /**
   * Counts an upload by address and by user.
   * @throws Refusal `too_many_attempts`, recorded as a violation of the user
   */
  count(userId: string, client: Client): Promise<void>;
  /** Takes a place among the uploads that run; the returned function gives it back. Null when there is none. */
  enter(userId: string): (() => void) | null;
}

/** Concurrent uploads in this process, per user and all together. */
const PER_USER = 3;
const PER_PROCESS = 16;

export function createUploadLimits({
  db,
  limits,
  violations,
}: {
  db: Db;
  limits: Config['limits'];
  violations: Violations;
}): UploadLimits {
  const running = new Map<string, number>();
  let all = 0;
  return { count, enter };

  async function count(userId: string, { ip }: Client): Promise<void> {
    const counters = [
      { key: `upload:ip:${networkOf(ip)}`, limit: limits.uploadsPerIp },
      { key: `upload:user:${userId}`, limit: limits.uploadsPerUser },
    ];
    for (const { key, limit } of counters) {
      const { allowed, retryAfterSeconds } = await consume(db, key, limit.max, limit.windowInMinutes * 60);
      if (allowed) continue;
      const violation = await violations.count({ userId, ip }, 'file_upload_limit');
      throw new Refusal({ type: 'too_many_attempts', retryAfterSeconds }, violation);
    }
  }

  function enter(userId: string): (() => void) | null {
    const own = running.get(userId) ?? 0;
    if (own >= PER_USER || all >= PER_PROCESS) return null;
    running.set(userId, own + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (running.get(userId) ?? 1) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    };
  }
}
