import { endpointTable } from '@parley/schema/endpoints';
import { textOf, type Message } from '@parley/schema/messages';
import { EndpointMark } from '../endpoints/marks.tsx';
import { Ending } from './ending.tsx';
import { MessageActions } from './message-actions.tsx';
import type { MessageProps } from './message-view.tsx';
import classes from './message.module.css';
import { PartView } from './part-view.tsx';
import { Progress } from './progress.tsx';
import { useLiveReply } from './use-live-reply.ts';

/** What a model answered. While it is being written, this is the only part of the page that changes. */
export function ReplyMessage({
  message: known,
  exchange,
  isWriting,
  isLatest,
  isBusy,
  place,
  total,
  actions,
}: MessageProps) {
  const message = useLiveReply(known);
  const isRefused = exchange?.status === 'failed';
  const canRegenerate = !isBusy && !isRefused && endpointTable[message.endpointType].can.regenerate;
  const regenerate = canRegenerate ? () => actions.regenerate(message) : undefined;
  const retry = isRefused ? () => actions.retry(exchange.generationId) : regenerate;
  return (
    <article className={classes.reply} data-latest={isLatest || undefined} aria-busy={isWriting}>
      <div className={classes.mark}>
        <EndpointMark {...message} hasFailed={message.reason !== null} />
      </div>
      <div className={classes.body}>
        <Who message={message} />
        {message.parts.map((part, index) => (
          <PartView key={index} part={part} isOpen={isWriting && index === message.parts.length - 1} />
        ))}
        {isWriting && <Progress status={exchange?.status} lastPart={message.parts.at(-1)} />}
        {!isWriting && <Ending message={message} onRetry={retry} />}
        <MessageActions
          text={textOf(message)}
          isHidden={isWriting || (isLatest && isBusy)}
          place={place}
          total={total}
          onTurn={(step) => actions.turn(message, step)}
          onRegenerate={message.reason ? undefined : regenerate}
        />
      </div>
    </article>
  );
}

function Who({ message }: { message: Message }) {
  return (
    <div className={classes.who}>
      <b>{message.sender}</b>
      {message.model && <span> · {message.model}</span>}
    </div>
  );
}
