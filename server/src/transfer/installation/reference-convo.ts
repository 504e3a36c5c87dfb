// What conversations of LibreChat's database have beyond its exported files: agents, bookmarks, thumbs and the sources
// of answers.
import { FOLDER_NAME_MAX } from '@parley/schema/convos/folder-rules';
import { cleanText } from '@parley/schema/clean-text';
import { isObject, listIn } from '@parley/schema/json';
import { MaybeTitle, MaybeUrl } from '@parley/schema/transfer/fields';
import * as z from 'zod';
import { webLinks, type WebPage } from '../formats/web-links.ts';
import type { SourceConvo } from '../source.ts';
import type { BroughtAssistants } from './assistants.ts';
import type { Document } from './documents.ts';

/** The endpoint of agents there. */
const AGENTS = 'agents';

/** With its agent as the assistant that it is here; as it was where the agent is not in the export. */
export function withAssistant(document: Document, assistants: BroughtAssistants): Document {
  const { endpoint, agent_id: agent } = document;
  const own = typeof agent === 'string' ? assistants.get(agent) : undefined;
  if (endpoint !== AGENTS || !own) return document;
  return { ...document, endpoint: 'assistants', endpointType: 'assistants', assistant_id: own.id, model: own.model };
}

/** The ids of agents stand where other messages have a model. */
export function withModelOfAgent(message: Document, convo: Document, assistants: BroughtAssistants): Document {
  if (message.endpoint !== AGENTS) return message;
  const named = [message.model, convo.agent_id].find((id) => typeof id === 'string' && assistants.has(id));
  const own = typeof named === 'string' ? assistants.get(named) : undefined;
  return own ? { ...message, endpoint: 'assistants', endpointType: 'assistants', model: own.model } : message;
}

/** Conversations have several bookmarks there and one folder here: the first in the order of the person's list. */
export type Bookmarks = ReadonlyMap<string, number>;

export function folderOfTags({ tags }: Document, places: Bookmarks): Pick<SourceConvo, 'folder'> {
  const named = tagsOf(tags).toSorted((a, b) => (places.get(a) ?? Infinity) - (places.get(b) ?? Infinity));
  const [first] = named;
  return first === undefined ? {} : { folder: folderNamed(first) };
}

export function folderNamed(tag: string) {
  return { id: `bookmark ${tag}`, name: tag.slice(0, FOLDER_NAME_MAX), color: null, instructions: '' };
}

/** Bookmarks beyond the one that is its folder. */
export function tagsLeft({ tags }: Document): number {
  return Math.max(0, tagsOf(tags).length - 1);
}

function tagsOf(tags: unknown): string[] {
  return listIn(tags).flatMap((tag) => (typeof tag === 'string' && tag.trim() !== '' ? [cleanText(tag).trim()] : []));
}

const Feedback = z.object({ rating: z.enum(['thumbsUp', 'thumbsDown']) });

/** What an answer found: of a search of the web, or of files. */
const Page = z.object({ link: MaybeUrl, title: MaybeTitle });
const Pages = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.flatMap((one) => Page.safeParse(one).data ?? []));
const Search = z.object({ turn: z.number().catch(0), organic: Pages, topStories: Pages, references: Pages }).partial();
const Source = z.object({ fileName: z.string().max(256).overwrite(cleanText), pages: z.array(z.number()).catch([]) });
const Attachment = z.object({
  type: z.string().catch(''),
  web_search: Search.nullish().catch(null),
  file_search: z
    .object({ sources: z.array(z.unknown()) })
    .nullish()
    .catch(null),
  file_id: z.string().nullish().catch(null),
});

/** Marks in a text that name what an attachment found, such as `\ue202turn0search1`, and the marks around what they prove. */
const MARK = /\ue202turn(\d{1,4})(search|news|ref|file|image|video)(\d{1,4})/g;
const AROUND = /[\ue200\ue201\ue203\ue204\ue206]/g;

/** A message in the words of an exported file, and the words below it: thumbs are a rating, sources are links. */
export function withFeedbackAndSources(message: Document): Document {
  const rating = Feedback.safeParse(message.feedback).data?.rating;
  const attached = listIn(message.attachments).flatMap((one) => Attachment.safeParse(one).data ?? []);
  const found = { ...message, ...(rating && { rating: rating === 'thumbsUp' ? 1 : -1 }) };
  // Pictures that tools made are files of the message.
  const made = attached.flatMap(({ file_id: id }, at) => (id ? [listIn(message.attachments)[at]] : []));
  const files = [...listIn(message.files), ...made];
  const shown = made.length > 0 ? { ...found, files } : found;
  if (attached.length === 0 && !hasMarks(message)) return shown;
  const pages = attached
    .map(({ web_search: search }) => search)
    .filter((search) => search !== null && search !== undefined);
  const linked = (text: string) => withLinks(text, pages);
  const below = sourcesBelow(attached, message);
  return { ...shown, ...rewritten(shown, linked, below) };
}

function hasMarks({ text, content }: Document): boolean {
  return /[\ue200-\ue206]/.test(`${typeof text === 'string' ? text : ''}${JSON.stringify(content ?? '')}`);
}

type SearchResult = z.infer<typeof Search>;

function withLinks(text: string, searches: readonly SearchResult[]): string {
  return text
    .replaceAll(MARK, (_, turn: string, kind: string, place: string) => {
      const search = searches.find((one) => (one.turn ?? 0) === Number(turn)) ?? searches[0];
      const list = kind === 'news' ? search?.topStories : kind === 'ref' ? search?.references : search?.organic;
      const page = list?.[Number(place)];
      return page?.link ? ` ${webLinks([{ url: page.link, title: page.title }])}` : '';
    })
    .replaceAll(AROUND, '');
}

/** What was found and no mark in the text names. */
function sourcesBelow(attached: readonly z.infer<typeof Attachment>[], message: Document): string {
  const said = JSON.stringify([message.text ?? '', message.content ?? '']);
  const isMarked = /\ue202turn\d+(?:search|news|ref)/.test(said);
  const pages: WebPage[] = attached.flatMap(({ web_search: search }) =>
    isMarked ? [] : (search?.organic ?? []).flatMap(({ link, title }) => (link ? [{ url: link, title }] : [])),
  );
  const files = attached.flatMap(({ file_search: search }) =>
    (search?.sources ?? []).flatMap((one) => {
      const { data } = Source.safeParse(one);
      return data ? [`[file: ${data.fileName}${data.pages.length > 0 ? `, p. ${data.pages.join(', ')}` : ''}]`] : [];
    }),
  );
  const lines = [...(pages.length > 0 ? [webLinks(pages)] : []), ...new Set(files)];
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}

/** The texts of a message, whether it has one or several among its contents. */
function rewritten({ text, content }: Document, change: (text: string) => string, below: string): Document {
  if (!Array.isArray(content) || content.length === 0)
    return typeof text === 'string' ? { text: change(text) + below } : {};
  const parts = content.map((part: unknown) => {
    if (!isObject(part)) return part;
    if (typeof part.text === 'string') return { ...part, text: change(part.text) };
    if (isObject(part.text) && typeof part.text.value === 'string') return { ...part, text: change(part.text.value) };
    return part;
  });
  return { content: below === '' ? parts : [...parts, { type: 'text', text: below }] };
}
