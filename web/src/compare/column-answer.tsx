import type { Message } from '@parley/schema/messages/messages';
import type { Exchange } from '../chat/exchanges/exchange.ts';
import { FinishNotice } from '../chat/message/finish-notice.tsx';
import { Parts } from '../chat/message/parts.tsx';
import { useLiveReply } from '../chat/message/use-live-reply.ts';
import { Progress } from '../chat/progress/progress.tsx';
import { Sources } from '../files/citations/sources.tsx';
import type { ColumnPath } from './column-paths.ts';
import classes from './columns.module.css';
import type { Piece } from './differences.ts';
import type { useColumns } from './use-columns.ts';

interface ColumnAnswerProps {
  message: Message;
  exchange: Exchange | undefined;
  isWriting: boolean;
  one: ColumnPath;
  acts: ReturnType<typeof useColumns>;
  isBusy: boolean;
  marked: readonly Piece[][] | undefined;
}

/** The newest answer of a column, as it is written, and what can be done where it has ended early. */
export function ColumnAnswer({ message: stored, exchange, isWriting, one, acts, isBusy, marked }: ColumnAnswerProps) {
  const message = useLiveReply(stored, isWriting);
  const isFree = !isBusy && exchange?.status !== 'failed';
  const canGoOn = isFree && message.finishReason !== 'stop' && message.parts.length > 0 && message.reason === null;
  if (marked) return <MarkedAnswer paragraphs={marked} />;
  return (
    <article className={classes.answer} aria-busy={isWriting} data-failed={message.reason !== null || undefined}>
      <Parts message={message} isWriting={isWriting} onDecide={isFree ? acts.decide(one) : undefined} />
      {isWriting && <Progress exchange={exchange} reply={message} />}
      {!isWriting && <Sources message={message} />}
      {!isWriting && (
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

/** The text of an answer, in which is marked what the other one does not say. */
function MarkedAnswer({ paragraphs }: { paragraphs: readonly Piece[][] }) {
  return (
    <article className={classes.marked}>
      {paragraphs.map((pieces, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text has no other order than that of its words
        <p key={at} dir="auto">
          {pieces.map(({ text, isOnly }, place) => {
            const Tag = isOnly ? 'mark' : 'span';
            // oxlint-disable-next-line react/no-array-index-key -- the same
            return <Tag key={place}>{text}</Tag>;
          })}
        </p>
      ))}
    </article>
  );
}
