import type { Message } from '@parley/schema/messages';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { EndpointMark } from '../../endpoints/marks.tsx';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { Ending } from './ending.tsx';
import { LazyMessageEdit } from './lazy-message-edit.tsx';
import { MessageActions } from './message-actions.tsx';
import { useEdited } from '../drafts/message-edits.ts';
import type { MessageProps } from './message-view.tsx';
import classes from './message.module.css';
import { PartView } from './part-view.tsx';
import { Progress } from './progress.tsx';
import { replyOffers } from './reply-offers.ts';
import { useCalm } from '../thread/use-calm.ts';
import { useEditing } from './use-editing.ts';
import { useLiveReply } from '../thread/use-live-reply.ts';

const suggestions = lazyScreen(async () => (await import('../../bing/suggestions.tsx')).Suggestions);

/** What a model answered. While it is being written, this is the only part of the page that changes. */
export function ReplyMessage(props: MessageProps) {
  const live = useLiveReply(props.message);
  return <Reply {...props} message={useCalm(live, props.isWriting)} />;
}

const Reply = memo(function Reply(props: MessageProps) {
  const { exchange, isWriting, isLatest, hasQuestion, isBusy, place, total, actions } = props;
  const message = useEdited(props.message);
  const { isOpen, isNew, open, ref } = useEditing(message);
  const isEditing = isOpen && !isWriting;
  const isRefused = exchange?.status === 'failed';
  const offers = replyOffers(message, { isLatest, hasQuestion, isBusy, isEditing, isRefused });
  const regenerate = offers.regenerate ? () => actions.regenerate(message) : undefined;
  const retry = isRefused ? () => actions.retry(exchange.generationId) : regenerate;
  const parts = <Parts message={message} isWriting={isWriting} />;
  return (
    <article
      ref={ref}
      className={classes.reply}
      data-latest={isLatest || undefined}
      data-failed={message.reason !== null || undefined}
      aria-busy={isWriting}
    >
      <div className={classes.mark}>
        <EndpointMark {...message} hasFailed={message.reason !== null} />
      </div>
      <div className={classes.body}>
        <Who message={message} />
        {isEditing ? (
          <Arriving fallback={parts}>
            <LazyMessageEdit
              key={message.messageId}
              message={message}
              canSubmit={offers.submitEdit}
              takesFocus={isNew}
              onSubmit={(text) => actions.submitEdit(message, text)}
            />
          </Arriving>
        ) : (
          parts
        )}
        {isWriting && <Progress exchange={exchange} lastPart={message.parts.at(-1)} />}
        {!isWriting && <Ending message={message} onRetry={retry} />}
        <MessageActions
          message={message}
          isHidden={isWriting || isEditing || (isLatest && isBusy)}
          place={place}
          total={total}
          onTurn={(step) => actions.turn(message, step)}
          onEdit={offers.edit ? open : undefined}
          // A failed one has its own button, with words.
          onRegenerate={message.reason || message.unfinished ? undefined : regenerate}
          onContinue={offers.continue ? () => actions.continueReply(message) : undefined}
        />
        {isLatest && !isWriting && !isBusy && message.suggestions && (
          <Arriving isQuiet>
            <suggestions.Screen suggestions={message.suggestions} onPick={actions.send} />
          </Arriving>
        )}
      </div>
    </article>
  );
});

function Parts({ message: { parts }, isWriting }: { message: Message; isWriting: boolean }) {
  return parts.map((part, index) => (
    <PartView key={index} part={part} isOpen={isWriting && index === parts.length - 1} isWriting={isWriting} />
  ));
}

function Who({ message }: { message: Message }) {
  const { t } = useTranslation();
  return (
    <div className={classes.who}>
      <b>{message.sender}</b>
      {message.model && <span> · {message.model}</span>}
      {message.isEdited && <span> · {t('com_chat_edited')}</span>}
    </div>
  );
}
