import { useAtomValue } from 'jotai';
import type { OtherModel } from '../../catalog/model-target.ts';
import { Sources } from '../../files/citations/sources.tsx';
import { MessageActions } from '../message-actions/message-actions.tsx';
import { FinishNotice, isCutAmongCalls } from './finish-notice.tsx';
import type { MessageProps } from './message-props.ts';
import { Progress } from '../progress/progress.tsx';
import type { ReplyActions } from './reply-actions.ts';
import { personalOffer, usedMemories } from '../lazy-panels.ts';
import { personalOfferAtom } from '../memory/offer-personal.ts';
import { Suggestions } from './suggestions.tsx';

interface ReplyEndProps extends MessageProps {
  isEditing: boolean;
  offers: ReplyActions;
  onEdit: () => void;
}

/** Below the parts of a reply: how far it is or how it ended, its sources, and what can be done with it. */
export function ReplyEnd(props: ReplyEndProps) {
  const { message, exchange, isWriting, isLatest, isBusy, actions, isEditing, offers, onEdit } = props;
  const again = askAgain(props);
  const retry = again && (() => again());
  const isPersonalOffered = useAtomValue(personalOfferAtom) === message.messageId;
  const goOn = offers.continue ? () => actions.continueReply(message) : undefined;
  return (
    <>
      {isWriting && <Progress exchange={exchange} reply={message} />}
      {!isWriting && !isEditing && <Sources message={message} />}
      {!isWriting && message.context?.memories && <usedMemories.Screen ids={message.context.memories} />}
      {!isWriting && <FinishNotice message={message} onRetry={retry} onContinue={goOn} onAskOther={again} />}
      <MessageActions
        message={message}
        isLastAnswer={isLatest}
        isHidden={isWriting || isEditing || (isLatest && isBusy)}
        siblingIndex={props.siblingIndex}
        siblingCount={props.siblingCount}
        onShowSibling={(step) => actions.showSibling(message, step)}
        onEdit={offers.edit ? onEdit : undefined}
        // A failed reply has its own retry button with a label.
        onRegenerate={offers.regenerate && !message.reason && !message.unfinished ? retry : undefined}
        onAskOther={offers.regenerate ? again : undefined}
        onContinue={isCutAmongCalls(message) ? undefined : goOn}
      />
      {isPersonalOffered && <personalOffer.Screen />}
      {isLatest && !isWriting && !isBusy && message.suggestions && (
        <Suggestions suggestions={message.suggestions} onPick={actions.send} />
      )}
    </>
  );
}

/** Asks the question again, of the same model or of another; undefined where that is not offered. */
function askAgain({ message, exchange, actions, offers }: ReplyEndProps): ((other?: OtherModel) => void) | undefined {
  if (exchange?.status === 'failed') return (other) => actions.retry(exchange.generationId, other);
  return offers.regenerate ? (other) => actions.regenerate(message, other) : undefined;
}
