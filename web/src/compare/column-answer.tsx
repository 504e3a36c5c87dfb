// Tests of this room: tests/unit/web/compare, tests/e2e/endpoints/columns.test.ts.
import type { Message } from '@parley/schema/messages/messages';
import type { Exchange } from '../chat/exchanges/exchange.ts';
import { useTranslation } from 'react-i18next';
import { FinishNotice } from '../chat/message/finish-notice.tsx';
import failureClasses from '../chat/message/message.module.css';
import { RetryButton } from '../chat/message-actions/retry-button.tsx';
import { Parts } from '../chat/message/parts.tsx';
import { useLiveReply } from '../chat/message/use-live-reply.ts';
import { Progress } from '../chat/progress/progress.tsx';
import { Sources } from '../files/citations/sources.tsx';
import type { ColumnPath } from './column-paths.ts';
import classes from './columns.module.css';
import type { Piece } from './differences.ts';
import type { useColumns } from './use-columns.ts';
import { InOrder } from '../ui/primitives/in-order.tsx';

interface ColumnAnswerProps {
  message: Message;
  exchange: Exchange | undefined;
  isWriting: boolean;
  one: ColumnPath;
  acts: ReturnType<typeof useColumns>;
  isBusy: boolean;
  marked: readonly Piece[][] | undefined;
  /** What the model is called while its name is hidden. */
  hiddenName: string | null;
}

/** The newest answer of a column, as it is written, and what can be done where it has ended early. */
export function ColumnAnswer(props: ColumnAnswerProps) {
  const { message: stored, exchange, isWriting, one, acts, isBusy, marked, hiddenName } = props;
  const message = useLiveReply(stored, isWriting);
  const isFree = !isBusy && exchange?.status !== 'failed';
  const canGoOn = isFree && message.finishReason !== 'stop' && message.parts.length > 0 && message.reason === null;
  if (marked) return <MarkedAnswer paragraphs={marked} />;
  return (
    <article className="stack" aria-busy={isWriting} data-failed={message.reason !== null || undefined}>
      <Parts message={message} isWriting={isWriting} onDecide={isFree ? acts.decide(one) : undefined} />
      {isWriting && <Progress exchange={exchange} reply={message} hiddenName={hiddenName} />}
      {!isWriting && <Sources message={message} />}
      {!isWriting && hiddenName !== null && message.reason !== null && (
        <HiddenFailure message={message} onRetry={isFree ? () => acts.regenerate(one) : undefined} />
      )}
      {!isWriting && (hiddenName === null || message.reason === null) && (
        <FinishNotice
          message={message}
          onRetry={isFree ? () => acts.regenerate(one) : undefined}
          onContinue={canGoOn ? () => acts.goOn(one) : undefined}
          onAskOther={isFree ? (other) => acts.regenerate(one, other) : undefined}
        />
      )}
    </article>
  );
}

/** In place of why an answer failed, and of what helps: both may name the model or its provider. */
function HiddenFailure({ message, onRetry }: { message: Message; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <div className={failureClasses.failure} role="group" data-testid="message-error">
      <p>{t('com_compare_failed_hidden')}</p>
      {onRetry && <RetryButton message={message} onRetry={onRetry} variant="filled" />}
    </div>
  );
}

/** The text of an answer, in which is marked what the other one does not say. */
function MarkedAnswer({ paragraphs }: { paragraphs: readonly Piece[][] }) {
  return (
    <article className={classes.marked}>
      <InOrder items={paragraphs}>
        {(pieces) => (
          <p dir="auto">
            <InOrder items={pieces}>
              {({ text, isOnly }) => (isOnly ? <mark>{text}</mark> : <span>{text}</span>)}
            </InOrder>
          </p>
        )}
      </InOrder>
    </article>
  );
}
