import { addVersion } from '@parley/schema/artifacts/add-version';
import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useTranslation } from 'react-i18next';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { describeError } from '../errors/describe-error.ts';
import type { EntryAtom } from '../lib/stored-map.ts';
import { showUndo } from '../ui/toast/undo.ts';
import { api } from '../trpc.ts';
import { KINDS } from './kinds.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

export interface ArtifactEdits {
  /** The source of a version as it is being edited; undefined while it is not. */
  draftAtom(version: ArtifactVersion): EntryAtom<string>;
  /** Makes `source` the newest version, in the answer of the newest one. Resolves to a sentence where it does not. */
  save(newest: ArtifactVersion, source: string): Promise<string | null>;
}

/** Edits of the artifacts of these answers by hand. */
export function useArtifactEdits(conversationId: string, answers: readonly Message[]): ArtifactEdits {
  const { t } = useTranslation();
  const showError = useShowError();
  const { cache, drafts } = useChatSession();
  return {
    draftAtom: ({ messageId, id, version }) => drafts.editAtom(`${messageId} ${id} ${version}`),
    async save(newest, source) {
      const answer = answers.find(({ messageId }) => messageId === newest.messageId);
      const before = answer && readableText(answer);
      const text = before === undefined ? null : addVersion(before, newest, source);
      if (before === undefined || text === null)
        return t('com_artifact_edit_unfit', { 0: t(KINDS[newest.kind].label) });
      try {
        await put(newest.messageId, text);
      } catch (error) {
        return describeError(error, t);
      }
      showUndo(t('com_artifact_edit_saved'), () => {
        put(newest.messageId, before).catch(showError);
      });
      return null;
    },
  };

  async function put(messageId: string, text: string): Promise<void> {
    cache.putMessages(conversationId, [await api.messages.edit.mutate({ conversationId, messageId, text })]);
  }
}
