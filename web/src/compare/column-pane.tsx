import { IconCopy, IconPlayerStopFilled, IconRefresh } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { answerFacts } from '../chat/answer-facts/answer-facts.ts';
import { isRunning, type Exchange } from '../chat/exchanges/exchange.ts';
import { useChatSession } from '../chat/chat-session-context.tsx';
import { copyMessage } from '../chat/message-copy/copy-message.ts';
import type { Chat } from '../chat/use-chat.ts';
import { EndpointIcon } from '../endpoints/endpoint-icons.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ColumnAnswer } from './column-answer.tsx';
import { ColumnRows } from './column-rows.tsx';
import type { ColumnPath } from './column-paths.ts';
import classes from './columns.module.css';
import type { Piece } from './differences.ts';
import type { useColumns } from './use-columns.ts';

interface ColumnPaneProps {
  chat: Chat;
  one: ColumnPath;
  /** The model, or a letter. */
  name: string;
  /** How many columns there are. */
  count: number;
  isHidden: boolean;
  /** A reply in this conversation is in progress. */
  isBusy: boolean;
  acts: ReturnType<typeof useColumns>;
  /** The newest answer with what only it says; absent where that is not asked for. */
  marked?: readonly Piece[][] | undefined;
}

/** One answer beside others: who gives it, how far it is, and what can be done with it. */
export function ColumnPane({ chat, one, name, count, isHidden, isBusy, acts, marked }: ColumnPaneProps) {
  const { column, reply: node } = one;
  const exchange = chat.exchangeOf.get(node.messageId);
  const stored = chat.findMessage(node.messageId);
  const isWriting = isWritten(chat, stored, exchange);
  return (
    <section className={classes.column} aria-label={name} data-testid="column" data-writing={isWriting || undefined}>
      <header className={classes.head}>
        {!isHidden && stored && <EndpointIcon {...column} endpointType={stored.endpointType} />}
        <span className={classes.name} dir="auto">
          <b>{name}</b>
          {!isHidden && column.model !== null && <span> {endpointLabel(column.endpoint)}</span>}
        </span>
        {stored && <Badge message={stored} isWriting={isWriting} />}
      </header>
      <ColumnRows
        {...{ chat, name, count }}
        path={one.path}
        place={one.place}
        className={classes.body}
        onEdit={(...edited) => acts.edit(one, ...edited)}
      >
        {stored && (
          <ColumnAnswer
            {...{ one, acts, isBusy, marked, exchange, isWriting }}
            message={stored}
            hiddenName={isHidden ? name : null}
          />
        )}
      </ColumnRows>
      <Foot one={one} stored={stored} exchange={exchange} name={name} {...{ isHidden, isWriting, isBusy, acts }} />
    </section>
  );
}

type FootProps = Omit<ColumnPaneProps, 'chat' | 'count'> & {
  stored: Message | undefined;
  exchange: Exchange | undefined;
  isWriting: boolean;
};

/** What the answer took, and what can be done with it. */
function Foot({ one, stored, exchange, name, isHidden, isWriting, isBusy, acts }: FootProps) {
  const { t, i18n } = useTranslation();
  const facts = stored && !isWriting ? answerFacts(stored, t, i18n.language) : [];
  const hasText = stored !== undefined && readableText(stored) !== '';
  return (
    <footer className={classes.foot}>
      <span className={classes.facts}>{facts.slice(0, isHidden ? 1 : undefined).join(' · ')}</span>
      {isWriting && stored ? (
        <Stop message={stored} name={name} exchange={exchange} />
      ) : (
        <>
          {hasText && <Copy message={stored} name={name} />}
          <IconButton
            className={classes.button}
            label={`${t('com_ui_regenerate')}: ${name}`}
            disabled={isBusy}
            onClick={() => acts.regenerate(one)}
          >
            <IconRefresh aria-hidden />
          </IconButton>
          {hasText && (
            <Button
              size="sm"
              disabled={isBusy}
              aria-label={`${t('com_compare_go_on')}: ${name}`}
              onClick={() => void acts.goOnWith(one)}
            >
              {t('com_compare_go_on')}
            </Button>
          )}
        </>
      )}
    </footer>
  );
}

function Badge({ message, isWriting }: { message: Message; isWriting: boolean }) {
  const { t } = useTranslation();
  const state = isWriting ? 'writing' : message.reason ? 'failed' : message.unfinished ? 'stopped' : 'done';
  const stopped = state === 'done' && message.finishReason === 'incomplete' ? 'stopped' : state;
  const words = {
    writing: t('com_compare_writing'),
    failed: t('com_compare_failed'),
    stopped: t('com_compare_stopped'),
    done: t('com_compare_done'),
  };
  return (
    <span className={classes.badge} data-state={stopped}>
      {words[stopped]}
    </span>
  );
}

function Stop({ message, name, exchange }: { message: Message; name: string; exchange: Exchange | undefined }) {
  const { t } = useTranslation();
  const { exchanges } = useChatSession();
  const { generationId } = message;
  const isStopping = exchange?.status === 'stopping';
  return (
    <IconButton
      className={classes.button}
      label={`${isStopping ? t('com_chat_stopping') : t('com_chat_stop')}: ${name}`}
      disabled={isStopping}
      onClick={() => generationId !== null && void exchanges.stop(generationId)}
    >
      <IconPlayerStopFilled aria-hidden />
    </IconButton>
  );
}

function Copy({ message, name }: { message: Message; name: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  return (
    <IconButton
      className={classes.button}
      label={`${isCopied ? t('com_content_copied') : t('com_content_copy')}: ${name}`}
      onClick={async ({ currentTarget }) => {
        const article = currentTarget.closest('section')?.querySelector('article:last-of-type') ?? null;
        setCopied(await copyMessage(readableText(message), article));
      }}
      onBlur={() => setCopied(false)}
    >
      <IconCopy aria-hidden />
    </IconButton>
  );
}

/** Also one that another page has asked for and that this page does not follow yet. */
function isWritten({ generationId }: Chat, message: Message | undefined, exchange: Exchange | undefined): boolean {
  if (exchange) return isRunning(exchange);
  return generationId !== null && message !== undefined && message.unfinished && message.finishReason === null;
}
