import '@mantine/core/styles/VisuallyHidden.css';
import { VisuallyHidden } from '@mantine/core';
import { textOf, type Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { atom, useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { useTakesKey } from '../keys/use-takes-key.ts';
import { describeReason } from '../lib/describe-reason.ts';

/** The reply that ended last in a chat on screen. */
export const endedReplyAtom = atom<Message | null>(null);

/** How much of an answer is read out, in characters: enough to know which one it was. */
const SPOKEN = 200;

/** Says once that an answer has ended. While it is written the thread is silent. */
export function Announcer() {
  const { t } = useTranslation();
  const reply = useAtomValue(endedReplyAtom);
  const spoken = reply && textOf(reply).slice(0, SPOKEN).toWellFormed();
  return (
    <VisuallyHidden role="status">
      {reply && (
        // An element of its own for each answer: the same sentence a second time would be no news.
        <span key={reply.generationId}>
          {reply.reason ? (
            <Failure reason={reply.reason} endpoint={reply.endpoint} />
          ) : (
            t('com_chat_answer_finished', { 0: spoken })
          )}
        </span>
      )}
    </VisuallyHidden>
  );
}

function Failure({ reason, endpoint }: { reason: Reason; endpoint: string }) {
  const { t } = useTranslation();
  const takesKey = useTakesKey(endpoint);
  return describeReason(reason, t, { endpoint, takesKey });
}
