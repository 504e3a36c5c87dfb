// Tests of this room: tests/integration/notices.
import * as z from 'zod';
import { Id } from '../ids.ts';

/** What has become of an answer: it is there, a tool of it waits for its person, or it has failed. */
export type NoticeKind = 'ready' | 'waiting' | 'failed';

/** What a page is offered. Only the page that takes it shows it. */
export interface Notice {
  /** Names the offer, for `take`. */
  id: string;
  kind: NoticeKind;
  conversationId: string;
  /** The page shows the conversation: it takes the notice and shows nothing. */
  isSeen: boolean;
}

/** What a page shows, as long as its subscription lasts. */
export const WatchNotices = z.strictObject({
  /** Made by the page. */
  page: Id,
  /** The conversation that is open in it. */
  conversationId: Id.nullable(),
  isVisible: z.boolean(),
  /** Whether its browser shows notices. */
  canShow: z.boolean(),
});
export type WatchNotices = z.infer<typeof WatchNotices>;

export const TakeNotice = z.strictObject({ page: Id, id: Id });
export type TakeNotice = z.infer<typeof TakeNotice>;

const Base64Url = z.string().regex(/^[\w-]+={0,2}$/, 'must be base64url');

/** A subscription of a browser, as `PushSubscription.toJSON()` gives it. */
export const PushSubscriptionInput = z.strictObject({
  endpoint: z.string().min(1).max(2048),
  keys: z.strictObject({ p256dh: Base64Url.max(128), auth: Base64Url.max(64) }),
});
export type PushSubscriptionInput = z.infer<typeof PushSubscriptionInput>;

export const PushTargetRef = z.strictObject({ id: Id });

/** A device that gets notices by push. */
export interface PushTarget {
  id: string;
  /** Its session is the one that asks. */
  isThis: boolean;
  /** Null when it is not known. */
  browser: string | null;
  system: string | null;
  createdAt: string;
  /** When the last push to it failed; null where it arrived. */
  failedAt: string | null;
}

/** What a push tells the service worker, encrypted for it alone. */
export interface PushMessage {
  /** A sentence. */
  title: string;
  body: string;
  /** Where a click leads. */
  path: string;
  /** Notices with the same one replace each other. */
  tag: string;
}
