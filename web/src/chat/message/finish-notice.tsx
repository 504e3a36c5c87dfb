import type { FinishReason, Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { OtherModel } from '../../catalog/model-target.ts';
import { FixKeyButton } from '../../keys/fix-key-button.tsx';
import { useTakesKey } from '../../keys/use-takes-key.ts';
import { describeOmitted } from '../context/omitted-messages.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import classes from './message.module.css';
import { OtherModelButton } from '../other-model/other-model-button.tsx';
import { RetryButton } from '../message-actions/retry-button.tsx';

interface FinishNoticeProps {
  message: Message;
  /** Absent where it does not apply. */
  onRetry: (() => void) | undefined;
  onAskOther?: ((model: OtherModel) => void) | undefined;
}

/** The notices for replies that ended early without an error. */
const CUT_BY: Partial<Record<FinishReason, ParseKeys>> = {
  incomplete: 'com_chat_stopped',
  length: 'com_chat_ended_by_length',
  content_filter: 'com_chat_ended_by_filter',
};

/** Failures that no second try mends: the person has to do something else first. */
const NOT_RETRIED: readonly Reason['type'][] = ['token_balance'];
/** Failures that every model has in common. */
const OF_ALL_MODELS: readonly Reason['type'][] = ['concurrent', 'message_limit', 'storage_full', 'moderation'];

/**
 * The notice under a finished reply: it failed, broke off, was stopped or cut off, or did not see the whole
 * conversation.
 */
export function FinishNotice({ message, onRetry, onAskOther }: FinishNoticeProps) {
  const { t } = useTranslation();
  const { endpoint, reason, unfinished, finishReason, context, parts } = message;
  const takesKey = useTakesKey(endpoint);
  const leftOut = context ? describeOmitted(context, t) : [];
  const cut = finishReason && CUT_BY[finishReason];
  const said = reason && describeReason(reason, t, { endpoint, takesKey, parts });
  const failure = unfinished ? t('com_ui_incomplete') : said;
  return (
    <>
      {failure && (
        <div className={classes.failure} role="group" data-testid="message-error">
          <p>{failure}</p>
          <FixKeyButton message={message} />
          {onRetry && !isOneOf(NOT_RETRIED, reason) && <RetryButton message={message} onRetry={onRetry} />}
          {onAskOther && !isOneOf(OF_ALL_MODELS, reason) && <OtherModelButton message={message} onPick={onAskOther} />}
        </div>
      )}
      {!failure && cut && <p className={classes.note}>{t(cut)}</p>}
      {leftOut.length > 0 && <p className={classes.note}>{leftOut.join(' ')}</p>}
    </>
  );
}

function isOneOf(types: readonly Reason['type'][], reason: Reason | null): boolean {
  return reason !== null && types.includes(reason.type);
}
