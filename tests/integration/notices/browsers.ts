// People, pages and devices of tests about notices.
import { randomUUID } from 'node:crypto';
import { sessions } from '@parley/db/tables/users';
import type { Notice, WatchNotices } from '@parley/schema/notices/notices';
import { createCaller, type Api } from '@parley/server/router';
import type { Deps } from '@parley/server/services';

export const ALL_ON = { isOn: true, hasTitles: false, hasMail: false };

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** A browser with a session of its own, which the database has. */
export async function signedInBrowser(deps: Deps, userId: string, userAgent = USER_AGENT) {
  const sid = randomUUID();
  const expiresAt = new Date(Date.now() + 86_400_000);
  await deps.db.query.insert(sessions).values({ id: randomUUID(), userId, family: sid, expiresAt });
  const client = { ip: '127.0.0.1', userAgent };
  const api: Api = createCaller({ deps, http: null, client, socket: null, token: null, signedIn: { userId, sid } });
  return { sid, api };
}

export interface OpenPage {
  page: string;
  /** What it was offered. */
  offers: Notice[];
  /** Of these, what it got: it shows those that are not seen. */
  taken: Notice[];
  close(): Promise<void>;
}

/** A page of a person at one process; it sleeps where it takes nothing. */
export function openPage(
  { notices }: Pick<Deps, 'notices'>,
  userId: string,
  shown: Partial<WatchNotices> & { sleeps?: boolean } = {},
): OpenPage {
  const { sleeps = false, ...over } = shown;
  const page = randomUUID();
  const leaving = new AbortController();
  const [offers, taken]: Notice[][] = [[], []];
  const input = { page, conversationId: null, isVisible: false, canShow: true, ...over };
  const reading = (async () => {
    for await (const notice of notices.watch(userId, input, leaving.signal)) {
      offers?.push(notice);
      if (!sleeps && notices.take(userId, { page, id: notice.id })) taken?.push(notice);
    }
  })();
  return {
    page,
    offers: offers ?? [],
    taken: taken ?? [],
    async close() {
      leaving.abort();
      await reading;
    },
  };
}

/** Resolves when a process knows what another one has told until now. */
export async function untilTold(from: Deps, to: Deps): Promise<void> {
  const topic = `fence:${randomUUID()}`;
  const subscription = to.pubsub.subscribe(topic);
  from.db.tell(topic);
  await subscription.next(AbortSignal.timeout(60_000));
  subscription.end();
}
