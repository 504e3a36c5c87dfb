// What each page of a person shows, in all processes: pages tell it over their subscription, and processes tell each
// other. Nothing is stored, and nothing is told where nobody wants notices.
import { randomUUID } from 'node:crypto';
import { Id } from '@parley/schema/ids';
import { parseJson } from '@parley/schema/json';
import { WatchNotices } from '@parley/schema/notices/notices';
import * as z from 'zod';
import type { PubSub } from '../platform/pubsub.ts';

const SHOWN = 'notice-page:';
const GONE = 'notice-page-gone:';
/** How often a process repeats what its pages show, for processes that began later. */
const REPEAT_MS = 60_000;
/** After this the process of a page is taken for dead. */
const KEPT_MS = 150_000;
/** For this long, further notices go to the page that took one: it counts them. */
const TOOK_MS = 60_000;

const ShownPage = WatchNotices.extend({
  /** Names the subscription: a page that changes what it shows begins a new one before it ends the last. */
  watch: Id,
  userId: Id,
  /** When it was last changed, in milliseconds since 1970. */
  at: z.number(),
});
export type ShownPage = z.infer<typeof ShownPage>;

/** Pages of a person, in the order in which they are offered a notice. */
export interface Lookers {
  /** They are visible and have the conversation open: nobody needs a notice. */
  watching: ShownPage[];
  /** They can show one, the one that was used last first. */
  able: ShownPage[];
}

export interface WhoIsLooking {
  /** Tells what a page of this process shows, until `end` is called. */
  show(userId: string, page: WatchNotices): { end: () => void };
  /** Whom of a person's pages to ask about a conversation. */
  find(userId: string, conversationId: string): Lookers;
  /** Notes that a page has taken a notice. */
  took(userId: string, page: string): void;
  /** Forgets a page that did not answer, until it says something again. */
  forget(page: ShownPage): void;
}

interface From {
  tell: (topic: string) => void;
  pubsub: Pick<PubSub, 'on'>;
  now?: () => number;
}

interface Kept {
  page: ShownPage;
  until: number;
  /** Until when further notices go to it. */
  tookUntil: number;
}

export function createWhoIsLooking({ tell, pubsub, now = Date.now }: From): WhoIsLooking {
  /** By person, then by page. */
  const known = new Map<string, Map<string, Kept>>();
  pubsub.on(SHOWN, (text) => {
    const { data } = ShownPage.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
    if (data) keep(data);
  });
  pubsub.on(GONE, (text) => {
    const [userId = '', page = '', watch = ''] = text.split('/');
    remove(userId, page, watch);
  });

  return {
    show(userId, shown) {
      const page = { ...shown, userId, watch: randomUUID(), at: now() };
      const say = () => tell(SHOWN + Buffer.from(JSON.stringify(page)).toString('base64url'));
      say();
      const timer = setInterval(say, REPEAT_MS).unref();
      return {
        end() {
          clearInterval(timer);
          tell(`${GONE}${userId}/${page.page}/${page.watch}`);
        },
      };
    },
    find(userId, conversationId) {
      const at = now();
      const pages = [...(known.get(userId)?.values() ?? [])]
        .filter(({ until }) => until > at)
        .toSorted((a, b) => byUse(a, b, at))
        .map(({ page }) => page);
      return lookersAmong(pages, conversationId);
    },
    took(userId, page) {
      const kept = known.get(userId)?.get(page);
      if (kept) kept.tookUntil = now() + TOOK_MS;
    },
    forget: ({ userId, page, watch }) => remove(userId, page, watch),
  };

  function keep(page: ShownPage): void {
    const pages = known.get(page.userId) ?? new Map<string, Kept>();
    const { page: before, tookUntil = 0 } = pages.get(page.page) ?? {};
    // What is repeated may be older than what the page shows by now.
    if (before && before.watch !== page.watch && before.at > page.at) return;
    pages.set(page.page, { page, until: now() + KEPT_MS, tookUntil });
    known.set(page.userId, pages);
  }

  function remove(userId: string, page: string, watch: string): void {
    const pages = known.get(userId);
    if (pages?.get(page)?.page.watch !== watch) return;
    pages.delete(page);
    if (pages.size === 0) known.delete(userId);
  }
}

/** The rule: a person who looks at the conversation needs no notice, and of all others one page shows it. */
function lookersAmong(pages: readonly ShownPage[], conversationId: string): Lookers {
  const watching = pages.filter((page) => page.isVisible && page.conversationId === conversationId);
  return { watching, able: pages.filter(({ canShow }) => canShow) };
}

/** A visible page first, then the one that has just taken a notice, then the one that was changed last. */
function byUse(a: Kept, b: Kept, now: number): number {
  return (
    Number(b.page.isVisible) - Number(a.page.isVisible) ||
    Number(b.tookUntil > now) - Number(a.tookUntil > now) ||
    b.page.at - a.page.at
  );
}
