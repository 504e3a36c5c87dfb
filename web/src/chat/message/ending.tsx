import type { FinishReason, Message } from '@parley/schema/messages';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { KeyOffer } from '../../keys/key-offer.tsx';
import { useTakesKey } from '../../keys/use-takes-key.ts';
import { leftOutSentences } from '../../context/left-out.ts';
import { describeReason } from '../../lib/describe-reason.ts';
import classes from './message.module.css';
import { RetryButton } from './retry-button.tsx';

interface EndingProps {
  message: Message;
  /** Absent while it makes no sense. */
  onRetry: (() => void) | undefined;
}

/** What is said of the ways in which an answer ends early without having failed. */
const CUT_BY: Partial<Record<FinishReason, ParseKeys>> = {
  incomplete: 'com_chat_stopped',
  length: 'com_chat_ended_by_length',
  content_filter: 'com_chat_ended_by_filter',
};

/** What there is to say about an answer that is over: that it failed, broke off, was stopped or cut, or did not see everything. */
export function Ending({ message, onRetry }: EndingProps) {
  const { t } = useTranslation();
  const { endpoint, reason, unfinished, finishReason, context } = message;
  const takesKey = useTakesKey(endpoint);
  const leftOut = context ? leftOutSentences(context, t) : [];
  const cut = finishReason && CUT_BY[finishReason];
  const failure = unfinished ? t('com_ui_incomplete') : reason && describeReason(reason, t, { endpoint, takesKey });
  return (
    <>
      {failure && (
        <div className={classes.failure} role="group" data-testid="message-error">
          <p>{failure}</p>
          <KeyOffer message={message} />
          {onRetry && <RetryButton message={message} onRetry={onRetry} />}
        </div>
      )}
      {!failure && cut && <p className={classes.quiet}>{t(cut)}</p>}
      {leftOut.length > 0 && <p className={classes.quiet}>{leftOut.join(' ')}</p>}
    </>
  );
}
