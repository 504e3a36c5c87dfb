import { onChange } from '../../shell/convos/changes.ts';
import { api } from '../../trpc.ts';
import type { DraftWire } from './share-drafts.ts';

export const draftWire: DraftWire = {
  save: (draft, signal) => api.drafts.save.mutate(draft, { signal }),
  list: () => api.drafts.list.query(),
  onChange,
};
