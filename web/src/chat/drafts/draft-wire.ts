import './lazy-words.ts';
import { i18n } from '../../i18n.ts';
import { describeReason } from '../../lib/describe-reason.ts';
import { showToast } from '../../lib/toast.tsx';
import { onChange } from '../../shell/convos/changes.ts';
import { api } from '../../trpc.ts';
import type { DraftWire } from './share-drafts.ts';

export const draftWire: DraftWire = {
  save: (draft, signal) => api.drafts.save.mutate(draft, { signal }),
  list: () => api.drafts.list.query(),
  onChange,
  onRefused: (reason) =>
    showToast({
      message: i18n.t('com_chat_draft_not_shared', { reason: describeReason(reason, i18n.t) }),
      severity: 'warning',
      duration: 8_000,
    }),
};
