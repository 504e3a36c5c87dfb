import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import type { Reason } from '@parley/schema/reasons';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { plainExcerpt } from '../lib/plain-excerpt.ts';
import { useTakesKey } from '../keys/use-takes-key.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { describeReason } from '../errors/describe-reason.ts';
import { isWaiting } from './steps/group-parts.ts';
import { finishedReplyAtom, finishedStepAtom } from './finished.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

/** Characters of a reply announced: enough to recognise it. */
const SPOKEN_CHARS_MAX = 200;

/** Announces once that a reply has finished, waits for its reader or was stopped, or that one of its steps has finished. The thread itself is silent while it streams. */
export function FinishedAnnouncer() {
  const reply = useAtomValue(finishedReplyAtom);
  const step = useAtomValue(finishedStepAtom);
  return (
    <VisuallyHidden role="status">
      {step && <span key={step.key + step.sentence}>{step.sentence}</span>}
      {reply && (
        // A new element per reply: a screen reader ignores the same sentence in the same element.
        <span key={reply.generationId}>
          {reply.reason ? <Failure reason={reply.reason} reply={reply} /> : <End reply={reply} />}
        </span>
      )}
    </VisuallyHidden>
  );
}

function End({ reply }: { reply: Message }) {
  const { t } = useTranslation();
  if (isWaiting(reply)) return t('com_chat_answer_waits');
  const text = plainExcerpt(readableText(reply), SPOKEN_CHARS_MAX);
  const pictures = reply.parts.filter(({ type }) => type === 'image').length;
  const spoken = text === '' && pictures > 0 ? t('com_pictures_n', { count: pictures }) : text;
  const isStopped = reply.finishReason === 'incomplete';
  return t(isStopped ? 'com_chat_answer_stopped' : 'com_chat_answer_finished', { 0: spoken });
}

function Failure({ reason, reply }: { reason: Reason; reply: Message }) {
  const { t } = useTranslation();
  const { endpoint, parts } = reply;
  const takesKey = useTakesKey(endpoint);
  const isOperator = useIsOperator();
  return describeReason(reason, t, { endpoint, takesKey, isOperator, parts });
}
