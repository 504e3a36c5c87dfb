// Tells a person that an answer has ended while none of their pages shows it: one page of theirs, or their devices by
// push. Only for accounts that want it, which the statement that ends the answer says.
import type { Db } from '@parley/db/client';
import { scheduleRuns, schedules } from '@parley/db/tables/automation/schedules';
import { and, eq } from 'drizzle-orm';
import type { AnswerEnd } from './answer-end.ts';
import type { MailRun } from './mail-run.ts';
import { createOffers, type Offers } from './offers.ts';
import type { PushSender } from './push/send-push.ts';
import { createWhoIsLooking, type Lookers } from './who-is-looking.ts';
import type { PubSub } from '../platform/pubsub.ts';

/** Pages that are asked one after another, before the devices are. */
const PAGES_MAX = 3;

export interface Notices extends Pick<Offers, 'watch' | 'take'> {
  /** Begins to tell it; failures are logged. */
  answerEnded(end: AnswerEnd): void;
  /** Resolves when all that has begun was told. */
  settled(): Promise<void>;
  /** Waits for that, and gives up what push gathers. */
  close(): Promise<void>;
}

interface From {
  db: Db;
  pubsub: Pick<PubSub, 'on'>;
  timings: { noticeTakeMs: number };
  /** Null where push is off. */
  push: PushSender | null;
  /** Null where no mail server is set up. */
  mailRun: MailRun | null;
  onFault: (error: unknown) => void;
}

export function createNotices({ db, pubsub, timings, push, mailRun, onFault }: From): Notices {
  const looking = createWhoIsLooking({ tell: db.tell, pubsub });
  const { watch, take, offer } = createOffers({ looking, tell: db.tell, pubsub, takeMs: timings.noticeTakeMs });
  const underWay = new Set<Promise<void>>();
  return {
    watch,
    take,
    answerEnded(end) {
      const telling = tell(end)
        .catch(onFault)
        .finally(() => underWay.delete(telling));
      underWay.add(telling);
    },
    settled,
    async close() {
      await settled();
      push?.close();
    },
  };

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  async function tell(end: AnswerEnd): Promise<void> {
    const { settings } = end;
    const mayMail = mailRun !== null && settings.hasMail;
    const schedule = mayMail || (push && settings.isOn) ? await findSchedule(db, end) : null;
    if (mayMail && schedule) mailRun(end, schedule);
    if (!settings.isOn) return;
    const lookers = looking.find(end.userId, end.conversationId);
    if (await isSeen(lookers, end)) return;
    // Nobody waits for a schedule at a page: its devices are told first.
    if (schedule && (await push?.send(end))) return;
    if (await isShown(lookers, end)) return;
    if (!schedule) await push?.send(end);
  }

  async function isSeen({ watching }: Lookers, end: AnswerEnd): Promise<boolean> {
    const taken = await Promise.all(watching.map((page) => offer(page, { ...told(end), isSeen: true })));
    return taken.includes(true);
  }

  async function isShown({ able }: Lookers, end: AnswerEnd): Promise<boolean> {
    for (const page of able.slice(0, PAGES_MAX)) if (await offer(page, { ...told(end), isSeen: false })) return true;
    return false;
  }
}

function told({ kind, conversationId }: AnswerEnd) {
  return { kind, conversationId };
}

/** The title of the schedule that asked; null where a person did. */
async function findSchedule({ query }: Db, { userId, generationId }: AnswerEnd): Promise<string | null> {
  const [row] = await query
    .select({ title: schedules.title })
    .from(scheduleRuns)
    .innerJoin(schedules, and(eq(schedules.userId, scheduleRuns.userId), eq(schedules.id, scheduleRuns.scheduleId)))
    .where(and(eq(scheduleRuns.userId, userId), eq(scheduleRuns.generationId, generationId)));
  return row?.title ?? null;
}
