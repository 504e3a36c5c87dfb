import { isLoopCall, type FinishReason, type Message, type ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { isBeyondLimit } from '@parley/schema/tools/no-more-calls';
import type { ParseKeys, TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { OtherModel } from '../../catalog/model-target.ts';
import { OperatorStepLink, useOperatorStep, type OperatorStep } from '../../keys/operator-step.tsx';
import { SetKeyButton } from '../../keys/set-key-button.tsx';
import { useFixesKey } from '../../keys/use-fixes-key.ts';
import { useTakesKey } from '../../keys/use-takes-key.ts';
import { describeOmitted } from '../context/omitted-messages.ts';
import { describeReason, quoteIn } from '../../errors/describe-reason.ts';
import classes from './message.module.css';
import { OtherModelButton } from '../other-model/other-model-button.tsx';
import { toolLabel } from '../steps/describe-step.ts';
import { Quote } from './quote.tsx';
import { useIsOperator } from '../../session/use-is-operator.ts';
import { Button } from '../../ui/button.tsx';
import { RetryButton } from '../message-actions/retry-button.tsx';

interface FinishNoticeProps {
  message: Message;
  /** Absent where it does not apply. */
  onRetry: (() => void) | undefined;
  onContinue?: (() => void) | undefined;
  onAskOther?: ((model: OtherModel) => void) | undefined;
}

/** The notices for replies that ended early without an error. */
const CUT_BY: Partial<Record<FinishReason, ParseKeys>> = {
  incomplete: 'com_chat_stopped',
  length: 'com_chat_ended_by_length',
  content_filter: 'com_chat_ended_by_filter',
};

/** Failures that no second try mends: the person has to do something else first. */
const NOT_RETRIED: readonly Reason['type'][] = ['token_balance', 'budget', 'model_not_yours'];
/** Failures that another model mends sooner than another try, where the key is not one's own. */
const OF_THE_MODEL: readonly Reason['type'][] = [
  'invalid_api_key',
  'insufficient_quota',
  'illegal_model_request',
  'model_not_yours',
  'token_balance',
  'budget',
];
/** Failures that every model has in common. */
const OF_ALL_MODELS: readonly Reason['type'][] = [
  'concurrent',
  'message_limit',
  'credits_reserved',
  'storage_full',
  'moderation',
];

/**
 * The notice under a finished reply: it failed, broke off, was stopped or cut off, or did not see the whole
 * conversation.
 */
export function FinishNotice({ message, onRetry, onContinue, onAskOther }: FinishNoticeProps) {
  const { t } = useTranslation();
  const { endpoint, reason, context, parts } = message;
  const takesKey = useTakesKey(endpoint);
  const isOperator = useIsOperator();
  const step = useOperatorStep(message);
  const leftOut = context ? describeOmitted(context, t) : [];
  const cut = cutOf(message);
  const failing = { endpoint, takesKey, isOperator, isKeySaved: step !== null, parts, quotesApart: true };
  const said = reason && describeReason(reason, t, failing);
  const failure = failureOf(message, said, t);
  const quote = reason && failure === said ? quoteIn(reason) : '';
  // To go on is safe; another try may do again what was done.
  const continues = isCutAmongCalls(message) ? onContinue : undefined;
  return (
    <>
      {failure && (
        <div className={classes.failure} role="group" data-testid="message-error">
          {quote ? <Quoted quote={quote} reason={reason} said={failure} /> : <p>{failure}</p>}
          <NextSteps message={message} step={step} onRetry={onRetry} onContinue={continues} onAskOther={onAskOther} />
        </div>
      )}
      {!failure && cut && <p className="hint">{t(cut)}</p>}
      {leftOut.length > 0 && <p className="hint">{leftOut.join(' ')}</p>}
    </>
  );
}

/** What somebody else said, and who refused the question where that is known. */
function Quoted({ quote, reason, said }: { quote: string; reason: Reason | null; said: string }) {
  const { t } = useTranslation();
  const isRefusal = reason?.type === 'provider_refused';
  return (
    <>
      <p>{isRefusal || reason?.type === 'unknown' ? t('com_error_unknown', { 0: '' }).trim() : said}</p>
      <Quote text={quote} />
      {isRefusal && <p>{said}</p>}
    </>
  );
}

/** What one can do about a failure, the likeliest step first and filled. */
function NextSteps({
  message,
  step,
  onRetry,
  onContinue,
  onAskOther,
}: FinishNoticeProps & { step: OperatorStep | null }) {
  const { t } = useTranslation();
  const { reason } = message;
  const fixesKey = useFixesKey(message);
  const retries = onRetry && !isOneOf(NOT_RETRIED, reason);
  const asksOther = onAskOther && !isOneOf(OF_ALL_MODELS, reason);
  const otherFirst = asksOther && !fixesKey && !step && isOneOf(OF_THE_MODEL, reason);
  const other = asksOther && (
    <OtherModelButton message={message} variant={otherFirst ? 'filled' : 'default'} onPick={onAskOther} />
  );
  const isRetryFirst = !fixesKey && !step && !onContinue && !otherFirst;
  if (!fixesKey && !step && !onContinue && !retries && !asksOther) return null;
  return (
    <div className="wrap-row">
      {fixesKey && <SetKeyButton endpoint={message.endpoint} variant="filled" />}
      {step && !fixesKey && <OperatorStepLink step={step} />}
      {onContinue && (
        <Button size="sm" variant="filled" onClick={onContinue}>
          {t('com_ui_continue')}
        </Button>
      )}
      {otherFirst && other}
      {retries && <RetryButton message={message} onRetry={onRetry} variant={isRetryFirst ? 'filled' : 'default'} />}
      {!otherFirst && other}
    </div>
  );
}

/** The server went away while this reply called tools. */
export function isCutAmongCalls(message: Message): boolean {
  return message.reason?.type === 'interrupted' && callsOf(message).length > 0;
}

function failureOf(message: Message, said: string | null, t: TFunction): string | null {
  const unknown = callsOf(message).filter(({ state }) => state === 'unknown');
  if (!isCutAmongCalls(message)) return message.unfinished ? t('com_ui_incomplete') : said;
  return unknown.length > 0 ? t('com_chat_interrupted_call', { 0: unknown.map(toolLabel).join(', ') }) : said;
}

function cutOf(message: Message): ParseKeys | null | undefined {
  const { finishReason } = message;
  if (finishReason === 'length' && callsOf(message).some(isBeyondLimit)) return 'com_chat_ended_by_calls';
  return finishReason && CUT_BY[finishReason];
}

function callsOf({ parts }: Message): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

function isOneOf(types: readonly Reason['type'][], reason: Reason | null): boolean {
  return reason !== null && types.includes(reason.type);
}
