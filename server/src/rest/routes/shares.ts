// REST handlers for links to shared conversations (docs/rest-compat.md, Links).
import { sharedFilePath } from '@parley/schema/convos/shared-file-path';
import type { Share, SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { CONVERSATION_ID_REQUIRED } from '@parley/schema/reasons';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import { respondObject } from '../../http/long-responses.ts';
import type { Api } from '../../router.ts';
import { UNTITLED } from '../present/present-convo.ts';
import { asJson } from '../responses.ts';
import { authed, public_, type Call } from '../route.ts';
import {
  EndedShare,
  LinkOf,
  LinkPage,
  RestShare,
  SharedConvo,
  SharePage,
  ShareRef,
  type SharedRestFile,
  type SharedRestMessage,
} from '../shapes/share.ts';

const PAGE_SIZE = 25;
const PAGE_MAX = 100;

const ConvoId = z.string(CONVERSATION_ID_REQUIRED).min(1, CONVERSATION_ID_REQUIRED);
const Create = z.object({ conversationId: ConvoId, isAnonymous: z.boolean().nullish() });
const Update = z.object({ shareId: z.string().nullish(), conversationId: z.string().nullish() });

export const shareRoutes = [
  authed('GET', '/api/share', pageOfShares, {
    summary: 'Links to conversations, the newest first',
    query: {
      pageNumber: 'From 1 on.',
      pageSize: 'At most 100.',
      cursor: 'The `nextCursor` of the page before.',
      search: 'Words of titles.',
      sortBy: '`title`, else the time.',
      sortDirection: '`asc`, else the other way.',
    },
    answers: {
      200: asJson(
        'A page of them: with `pageSize` or `cursor` in the fields of later clients.',
        z.union([SharePage, LinkPage]),
      ),
    },
  }),
  authed('POST', '/api/share', createShare, {
    summary: 'Makes a link to all of a conversation',
    description: 'The one that is there, if there is one. With `isAnonymous: false` the name of its owner is shown.',
    body: Create,
    answers: { 200: asJson('The link.', RestShare) },
  }),
  authed('PATCH', '/api/share', updateShare, {
    summary: 'Copies the conversation of a link anew, named by either id',
    body: Update,
    answers: { 200: asJson('The link.', RestShare) },
  }),
  authed('GET', '/api/share/link/:conversationId', linkOf, {
    summary: 'The link to all of a conversation',
    answers: { 200: asJson('Whether there is one, and which.', LinkOf) },
  }),
  authed('POST', '/api/share/:conversationId', createLink, {
    summary: 'Makes a link to all of a conversation',
    description: 'The one that is there, if there is one.',
    answers: { 200: asJson('Its id.', ShareRef) },
  }),
  authed('PATCH', '/api/share/:shareId', updateLink, {
    summary: 'Copies the conversation of a link anew',
    answers: { 200: asJson('Its id, which stays.', ShareRef) },
  }),
  public_('GET', '/api/share/:shareId', readShare, {
    summary: 'What a link shows, for strangers unless the operator has closed them',
    answers: { 200: asJson('The title and the messages.', SharedConvo), 404: 'There is no such link.' },
  }),
  authed('DELETE', '/api/share/:shareId', removeShare, {
    summary: 'Ends a link',
    answers: { 200: asJson('A message, also where there is none.', EndedShare) },
  }),
];

/** The newest first. Whether strangers may read them is the operator's choice, for all of them. */
async function pageOfShares(api: Api, { query }: Call) {
  const pageSize = Math.min(PAGE_MAX, Math.max(1, Math.trunc(Number(query.get('pageSize'))) || PAGE_SIZE));
  const pageNumber = Math.max(1, Math.trunc(Number(query.get('cursor') || query.get('pageNumber'))) || 1);
  const links = inOrder(await api.shares.list(), query);
  const begin = (pageNumber - 1) * pageSize;
  const shown = links.slice(begin, begin + pageSize).map(presentShare);
  const pages = Math.max(1, Math.ceil(links.length / pageSize));
  // Clients of 0.7.8 name the size of a page, those before them its number.
  if (!query.has('pageSize') && !query.has('cursor')) return { sharedLinks: shown, pages, pageNumber, pageSize };
  const hasNextPage = pageNumber < pages;
  return { links: shown, nextCursor: hasNextPage ? `${pageNumber + 1}` : null, hasNextPage };
}

function inOrder(links: Share[], query: URLSearchParams): Share[] {
  const words = query.get('search')?.trim().toLowerCase() ?? '';
  const found = words === '' ? links : links.filter(({ title }) => (title ?? UNTITLED).toLowerCase().includes(words));
  const sorted =
    query.get('sortBy') === 'title'
      ? found.toSorted((a, b) => (b.title ?? UNTITLED).localeCompare(a.title ?? UNTITLED))
      : found;
  return query.get('sortDirection') === 'asc' ? sorted.toReversed() : sorted;
}

async function linkOf(api: Api, { params: { conversationId } }: Call<{ conversationId: string }>) {
  const known = await findWhole(api, conversationId);
  return { success: known !== undefined, shareId: known?.id ?? null, conversationId };
}

async function createLink(api: Api, { params: { conversationId } }: Call<{ conversationId: string }>) {
  const made = await shareOf(api, conversationId, false);
  return { shareId: made.id, conversationId: made.conversationId };
}

async function updateLink(api: Api, { params: { shareId } }: Call<{ shareId: string }>) {
  const made = await api.shares.update({ id: shareId });
  return { shareId: made.id, conversationId: made.conversationId };
}

/** These clients know one link of a conversation, to all of it. Where links are off, it is no answer either. */
async function createShare(api: Api, { body }: Call) {
  const { conversationId, isAnonymous } = Create.parse(body);
  return presentShare(await shareOf(api, conversationId, isAnonymous === false));
}

async function shareOf(api: Api, conversationId: string, showsName: boolean): Promise<Share> {
  const { sharedLinksEnabled = true } = await api.endpoints.startup();
  const known = sharedLinksEnabled ? await findWhole(api, conversationId) : undefined;
  return known ?? api.shares.create({ conversationId, leafId: null, showsName });
}

/** Copies the conversation anew. Clients name the link, or only its conversation. */
async function updateShare(api: Api, { body }: Call) {
  const { shareId, conversationId } = Update.parse(body);
  const id = shareId || (conversationId && (await findWhole(api, conversationId))?.id);
  return id ? presentShare(await api.shares.update({ id })) : refuse({ type: 'not_found', what: 'share' });
}

/** One that is gone, or somebody else's, counts as ended. */
async function removeShare(api: Api, { params: { shareId } }: Call<{ shareId: string }>) {
  await api.shares.revoke({ id: shareId });
  return { message: 'The link has ended', shareId };
}

/** For everybody who has the link. */
async function readShare(api: Api, { params: { shareId = '' } }: Call): Promise<Response> {
  const { thread, updatedAt } = await api.shares.read({ id: shareId });
  const facts: Omit<SharedConvo, 'messages'> = {
    shareId,
    conversationId: shareId,
    title: thread.title ?? UNTITLED,
    isPublic: true,
    createdAt: thread.messages[0]?.createdAt ?? updatedAt,
    updatedAt,
  };
  return respondObject(facts, 'messages', thread.messages, (message) => presentShared(shareId, message));
}

async function findWhole(api: Api, conversationId: string): Promise<Share | undefined> {
  return (await api.shares.list({ conversationId })).find(({ isWhole }) => isWhole);
}

/** Without the ids of its messages, of which there may be tens of thousands. */
function presentShare({ id, conversationId, title, showsName, createdAt, updatedAt }: Share): RestShare {
  return {
    _id: id,
    shareId: id,
    conversationId,
    title: title ?? UNTITLED,
    isPublic: true,
    isVisible: true,
    isAnonymous: !showsName,
    messages: [],
    createdAt,
    updatedAt,
  };
}

function presentShared(shareId: string, message: SharedMessage): SharedRestMessage {
  const { messageId, parentMessageId, isCreatedByUser, sender, endpoint, model, parts, createdAt } = message;
  const files = parts.flatMap((part) => presentSharedFile(shareId, part));
  return {
    messageId,
    parentMessageId: parentMessageId ?? NO_PARENT,
    conversationId: shareId,
    endpoint,
    model,
    sender,
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'),
    isCreatedByUser,
    unfinished: false,
    error: false,
    ...(files.length > 0 && { files }),
    createdAt,
    updatedAt: createdAt,
  };
}

function presentSharedFile(shareId: string, part: SharedPart): SharedRestFile[] {
  if (part.type !== 'file' || !part.file) return [];
  const { n, mime, bytes, width, height } = part.file;
  return [
    {
      file_id: String(n),
      filepath: sharedFilePath(shareId, part.file),
      filename: part.name,
      type: mime,
      bytes,
      ...(width !== undefined && { width, height }),
    },
  ];
}
