// Converts Gemini's activities of Google Takeout. It does not tell which questions belong together: each is a
// conversation with its answer.
import { GeminiSource, type GeminiActivity } from '@parley/schema/transfer/gemini';
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos/convos';
import type { MessagePart } from '@parley/schema/messages/messages';
import type { SourceConvo } from '../source.ts';
import { countLeftOut } from './left-out.ts';
import { markdownOfHtml } from './html-markdown.ts';
import { countedFields, namedFile, plainMessage, textBelow } from './plain-message.ts';
import { webLinks } from './web-links.ts';

const ENDPOINT = { endpoint: 'google', endpointType: 'google' } as const;

/** What Takeout writes before a question, in English; in other languages it stays a part of it. */
const ASKED = /^(?:Prompted(?: with:)?|Asked(?: Gemini:| Bard:)?|Said|Branched|Answered)\s+/;
/** What is no question, by its first word. */
const OTHER = /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted)\s/;
const ATTACHED = /Attached \d{1,4} files?\.$/;

export function readGemini(file: GeminiActivity): SourceConvo {
  const counted = countLeftOut();
  const at = Date.parse(file.time);
  const isQuestion = !OTHER.test(file.title);
  if (!isQuestion) counted.add('activity');
  const question = cleanText(file.title.trimEnd().replace(ASKED, '').replace(ATTACHED, '')).trim();
  const asked: MessagePart[] = [{ type: 'text', text: question }];
  const names = [...file.attachedFiles, file.imageFile].filter((name) => typeof name === 'string');
  for (const name of names) asked.push(textBelow(asked, namedFile(cleanText(name))));
  const answer = answerOf(file);
  const id = `${file.time} ${file.title.slice(0, 200)}`;
  const common = { ...ENDPOINT, model: null, at };
  const user = plainMessage({
    ...common,
    id: 'question',
    parentId: null,
    isCreatedByUser: true,
    sender: 'User',
    parts: asked,
  });
  const parts: MessagePart[] = [{ type: 'text', text: answer }];
  const reply = plainMessage({
    ...common,
    id: 'answer',
    parentId: 'question',
    isCreatedByUser: false,
    sender: 'Gemini',
    parts,
  });
  return {
    ...ENDPOINT,
    id,
    title: question.slice(0, TITLE_MAX).toWellFormed() || null,
    model: null,
    settings: {},
    isArchived: false,
    createdAt: at,
    updatedAt: at,
    messages: isQuestion ? [user, ...(answer === '' ? [] : [reply])] : [],
    ...countedFields(counted),
  };
}

function answerOf({ safeHtmlItem, subtitles }: GeminiActivity): string {
  const pages = subtitles.flatMap((one) => {
    const { name, url } = GeminiSource.safeParse(one).data ?? {};
    return url ? [{ url, title: name ?? null }] : [];
  });
  const text = safeHtmlItem.map(markdownOfHtml).join('\n\n').trim();
  return pages.length === 0 ? text : `${text}\n\n${webLinks(pages)}`.trim();
}
