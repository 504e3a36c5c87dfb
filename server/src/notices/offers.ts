// Offers a notice to one page, in whichever process that page is. A page that sleeps, or is gone without a word, takes
// nothing, so that the next one is asked: a notice is shown once, and by somebody who is there.
import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { Id } from '@parley/schema/ids';
import { parseJson } from '@parley/schema/json';
import type { Notice, TakeNotice, WatchNotices } from '@parley/schema/notices/notices';
import * as z from 'zod';
import type { PubSub } from '../platform/pubsub.ts';
import type { ShownPage, WhoIsLooking } from './who-is-looking.ts';

const OFFERED = 'notice-offer:';
const TAKEN = 'notice-taken:';

const Offered = z.object({
  id: Id,
  kind: z.enum(['ready', 'waiting', 'failed']),
  conversationId: Id,
  isSeen: z.boolean(),
}) satisfies z.ZodType<Notice>;

const Offer = z.object({ userId: Id, page: Id, notice: Offered });

export interface Offers {
  /** The offers to a page of this process, which is known while this is read. */
  watch(userId: string, page: WatchNotices, signal: AbortSignal): AsyncGenerator<Notice, void>;
  /** Whether the page may show it: false when it comes too late. */
  take(userId: string, taken: TakeNotice): boolean;
  /** Resolves to whether the page has taken it, in time. */
  offer(page: ShownPage, notice: Omit<Notice, 'id'>): Promise<boolean>;
}

interface From {
  looking: WhoIsLooking;
  tell: (topic: string) => void;
  pubsub: Pick<PubSub, 'on'>;
  /** How long a page may take, in milliseconds. */
  takeMs: number;
}

export function createOffers({ looking, tell, pubsub, takeMs }: From): Offers {
  /** Those to pages of this process, and those that this process waits for. */
  const open = new Map<string, { userId: string; page: string }>();
  const waiting = new Map<string, (isTaken: boolean) => void>();
  const pages = new EventEmitter().setMaxListeners(0);
  pubsub.on(OFFERED, (text) => {
    const { data } = Offer.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
    if (!data) return;
    const { userId, page, notice } = data;
    if (!pages.emit(pageKey(userId, page), notice)) return;
    open.set(notice.id, { userId, page });
    // Sooner than its sender gives it up, who asks the next one then.
    setTimeout(() => open.delete(notice.id), takeMs * 0.8).unref();
  });
  pubsub.on(TAKEN, (text) => {
    const [id = '', userId = '', page = ''] = text.split('/');
    looking.took(userId, page);
    waiting.get(id)?.(true);
  });

  return {
    async *watch(userId, shown, signal) {
      const heard = on(pages, pageKey(userId, shown.page), { signal });
      const page = looking.show(userId, shown);
      try {
        for await (const [notice] of heard) yield Offered.parse(notice);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        page.end();
      }
    },
    take(userId, { page, id }) {
      const offer = open.get(id);
      if (offer?.userId !== userId || offer.page !== page) return false;
      open.delete(id);
      tell(`${TAKEN}${id}/${userId}/${page}`);
      return true;
    },
    async offer(page, told) {
      const notice = { ...told, id: randomUUID() };
      let late: NodeJS.Timeout | undefined;
      const isTaken = await new Promise<boolean>((resolve) => {
        waiting.set(notice.id, resolve);
        late = setTimeout(() => resolve(false), takeMs);
        const offer: z.infer<typeof Offer> = { userId: page.userId, page: page.page, notice };
        tell(OFFERED + Buffer.from(JSON.stringify(offer)).toString('base64url'));
      });
      clearTimeout(late);
      waiting.delete(notice.id);
      if (!isTaken) looking.forget(page);
      return isTaken;
    },
  };
}

function pageKey(userId: string, page: string): string {
  return `${userId}/${page}`;
}
