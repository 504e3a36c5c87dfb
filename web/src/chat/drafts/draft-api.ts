import type { Change } from '@parley/schema/convos/convos';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/chat/drafts';
import type { Reason } from '@parley/schema/reasons';
import { i18n } from '../../i18n.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { onChange, onFeedStart } from '../../feed/change-feed.ts';
import { api } from '../../trpc.ts';

export interface DraftApi {
  save(draft: SaveDraft, signal: AbortSignal): Promise<SavedDraft>;
  /** All drafts that are not empty. */
  list(): Promise<Draft[]>;
  onChange(listener: (change: Change) => void): () => void;
  /** Calls `listener` whenever changes begin to arrive, which misses what changed before. */
  onFeedStart(listener: () => void): () => void;
  /**
   * The server refuses the text, which stays in this browser only. Called once per draft, and again only after a
   * successful save.
   */
  onRefused(reason: Reason): void;
}

export const draftApi: DraftApi = {
  save: (draft, signal) => api.drafts.save.mutate(draft, { signal }),
  list: () => api.drafts.list.query(),
  onChange,
  onFeedStart,
  onRefused: (reason) =>
    showToast({
      message: i18n.t('com_chat_draft_not_shared', { reason: describeReason(reason, i18n.t) }),
      severity: 'warning',
      duration: 8_000,
    }),
};
