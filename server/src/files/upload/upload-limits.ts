// Limits of uploads: how often, and how many at once.
import type { Db } from '@parley/db/client';
import { consume, ipNetwork } from '../../platform/rate-limiter.ts';
import type { Violations } from '../../abuse/violations.ts';
import type { Config } from '../../config/config.ts';
import type { Client } from '../../platform/requests/client.ts';
import { Refusal } from '../../platform/errors.ts';

/** Of this process. A message has ten files, and a person more than one page. */
const BOUNDS = { perUser: 3, perProcess: 16, waitingPerUser: 20, waiting: 200, waitMs: 5 * 60_000 };

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

// The places of uploads: few are received at once, the others wait unread for their turn. Existing clients send all files
// of a message at the same time, and show a refusal as a failure of the file.

interface UploadSlots {
  /**
   * Resolves to a function that gives the place back: null when too many wait, after too long a wait, and when `left`
   * is aborted first.
   */
  enter(userId: string, left: AbortSignal): Promise<Leave | null>;
}

type Leave = () => void;

interface Waiting {
  userId: string;
  end(leave: Leave | null): void;
}

export function createUploadSlots(bounds = BOUNDS): UploadSlots {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  return { enter };

  async function enter(userId: string, left: AbortSignal): Promise<Leave | null> {
    if (left.aborted) return null;
    if (hasSlot(userId)) return take(userId);
    const own = [...waiting].filter((one) => one.userId === userId);
    if (own.length >= bounds.waitingPerUser || waiting.size >= bounds.waiting) return null;
    return new Promise((resolve) => {
      const giveUp = () => one.end(null);
      const timer = setTimeout(giveUp, bounds.waitMs).unref();
      left.addEventListener('abort', giveUp);
      const one: Waiting = {
        userId,
        end(leave) {
          clearTimeout(timer);
          left.removeEventListener('abort', giveUp);
          waiting.delete(one);
          resolve(leave);
        },
      };
      waiting.add(one);
    });
  }

  function hasSlot(userId: string): boolean {
    return all < bounds.perProcess && (running.get(userId) ?? 0) < bounds.perUser;
  }

  function take(userId: string): Leave {
    running.set(userId, (running.get(userId) ?? 0) + 1);
    all += 1;
    return () => {
      all -= 1;
      const own = (running.get(userId) ?? 1) - 1;
      if (own > 0) running.set(userId, own);
      else running.delete(userId);
      const next = [...waiting].find((one) => hasSlot(one.userId));
      next?.end(take(next.userId));
    };
  }
}
