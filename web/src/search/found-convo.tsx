import type { SearchGroup, SearchHit } from '@parley/schema/search/search';
import { replySender } from '@parley/schema/catalog/sender';
import { senderLabel } from '../catalog/sender-label.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { FolderIcon } from '../folders/folder-icon.tsx';
import { useFolders } from '../folders/use-folders.ts';
import { formatDate } from '../lib/format-date.ts';
import { messageAddress } from './search-address.ts';
import { HighlightedText } from './highlighted-text.tsx';
import classes from './search-view.module.css';
import { markFoundWords } from './mark-found-words.ts';

interface FoundConvoProps {
  group: SearchGroup;
  /** Whether its first row has the first of the two background colours. */
  isFirstEven: boolean;
}

/** A conversation with its matching messages; each links to its place in the thread. */
export function FoundConvo({ group, isFirstEven }: FoundConvoProps) {
  const { t, i18n } = useTranslation();
  const { convo, titleParts, hits, more } = group;
  const { conversationId } = convo;
  const folder = useFolders().find(({ id }) => id === convo.folderId);
  const isEven = (index: number) => (index % 2 === 0) === isFirstEven;
  return (
    <article className={classes.group}>
      <h2 className={classes.convo} data-even={(hits.length === 0 && isEven(0)) || undefined}>
        <Link href={`/c/${conversationId}`} className={classes.convoLink} data-hit>
          <span dir="auto">
            {titleParts.length > 0 ? <HighlightedText parts={titleParts} /> : t('com_ui_new_chat')}
          </span>
        </Link>
        {folder && (
          <span className={classes.folder} data-tooltip={folder.name} data-cut>
            <FolderIcon color={folder.color} />
            <span dir="auto">{folder.name}</span>
          </span>
        )}
        {convo.isArchived && <span className={classes.badge}>{t('com_ui_archived')}</span>}
        <time className={classes.date} dateTime={convo.updatedAt}>
          {formatDate(convo.updatedAt, i18n.language)}
        </time>
      </h2>
      {hits.map((hit, index) => (
        <Link
          key={hit.messageId}
          href={messageAddress(conversationId, hit.messageId)}
          className={classes.hit}
          data-hit
          data-even={isEven(index) || undefined}
          onClick={() => markWords(conversationId, hit)}
        >
          <span className={classes.sender}>
            {hit.isCreatedByUser ? t('com_chat_you') : senderLabel({ ...convo, sender: replySender(convo) })}
            <time className={classes.date} dateTime={hit.createdAt}>
              {formatDate(hit.createdAt, i18n.language)}
            </time>
          </span>
          <span className={classes.snippet} dir="auto">
            <HighlightedText parts={hit.snippet} />
          </span>
        </Link>
      ))}
      {more > 0 && <p className={classes.more}>{t('com_search_more', { count: more })}</p>}
    </article>
  );
}

/** In the conversation that opens. */
function markWords(conversationId: string, { snippet }: SearchHit): void {
  const words = snippet.flatMap(({ text, isHit }) => (isHit ? [text] : []));
  markFoundWords(conversationId, words);
}
