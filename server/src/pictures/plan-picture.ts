// Which pictures an ask is answered with: how many, of which size, and made from which others.
import type { Db, Query, Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import {
  findPictureModel,
  PICTURE_DEFAULTS,
  pictureCredits,
  type PictureModel,
  type PictureOptions,
} from '@parley/schema/pictures/models';
import { creditsFor, isPriced } from '@parley/schema/catalog/rates';
import type { ReportedRates } from '@parley/schema/catalog/usage';
import type { AskInput } from '@parley/schema/chat/ask';
import type { PictureRecord } from '@parley/schema/pictures/picture';
import {
  messageAttachments,
  type ContextRecord,
  type ImagePart,
  type MessagePart,
} from '@parley/schema/messages/messages';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Endpoint } from '../catalog/endpoint.ts';
import { noteUses } from '../files/note-uses.ts';
import { readAttachments } from '../files/read-attachments.ts';
import { assertMessage, walkUp } from '../messages/thread.ts';
import { refuse } from '../platform/errors.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';

export interface PicturePlan {
  can: PictureModel;
  options: PictureOptions;
  from: ImagePart[];
  mask: ImagePart | null;
  /** Of one picture. */
  credits: number;
  rates: ReportedRates;
}

export interface PictureAsk {
  userId: string;
  endpoint: Pick<Endpoint, 'type' | 'config' | 'pictures' | 'ratesOf'>;
  model: string;
  input: Pick<AskInput, 'picture' | 'target' | 'conversationId'>;
}

/** What came before: the record of an answer like it, and the pictures that a question may be about. */
interface Before {
  record: PictureRecord | null;
  /** Whether the answer is the same one, or another to the same question. */
  isSame: boolean;
  /** Pictures attached to the question itself; else the last one of the chat. */
  pictures: readonly ImagePart[];
  /** Those that the answer has already. */
  made: number;
}

/** The plan of an ask, and what is known of its model: pictures have a price of their own. @throws as `planPicture` */
export async function planAnswer(
  db: Pick<Db, 'query'>,
  ask: PictureAsk,
  metadata: ModelMetadata,
): Promise<{ picture: PicturePlan | null; metadata: ModelMetadata }> {
  const picture = await planPicture(db, ask);
  return { picture, metadata: picture ? { ...metadata, rates: picture.rates } : metadata };
}

/**
 * The plan of an ask; null where it is answered in words. Chats without pictures ask the database nothing here.
 * @throws Refusal `conflict` for what the model cannot do, `not_found` for pictures that are gone or another person's,
 * `invalid_input` for what is no picture
 */
async function planPicture({ query }: Pick<Db, 'query'>, ask: PictureAsk): Promise<PicturePlan | null> {
  const { userId, endpoint, model, input } = ask;
  const can = endpoint.pictures && findPictureModel(endpoint.config, model);
  if (!can) return input.picture ? refuse({ type: 'conflict', text: `${model} makes no pictures` }) : null;
  if (can.chats && !input.picture) return null;
  const before = await readBefore(query, ask);
  const { n, size, quality } = input.picture ?? before.record ?? PICTURE_DEFAULTS;
  const options = { n: Math.max(1, n - before.made), size, quality };
  const from = await readSources(query, ask, can, before);
  const maskId = input.picture?.maskFileId ?? (input.picture?.from ? undefined : repeated(before)?.maskFileId);
  const mask = maskId === undefined ? null : await readMask(query, userId, can, maskId, from[0]);
  const rates = endpoint.ratesOf(model, { prompt: pictureCredits(can, options) ?? 0, completion: 0 }, options);
  const perPicture = { prompt: rates?.prompt ?? 0, completion: 0 };
  const credits = isPriced(endpoint.type) ? creditsFor(1, perPicture.prompt) : 0;
  return { can, options, from, mask, credits, rates: perPicture };
}

/** What the model is shown, for the record of the reply. */
export function pictureContext({ options, from, mask }: PicturePlan): ContextRecord {
  const images = from.map(({ fileId, name, width, height }) => ({
    fileId,
    ...(name !== undefined && { name }),
    width,
    height,
    tokens: 0,
  }));
  return {
    window: 0,
    included: 1,
    omitted: 0,
    ...(images.length > 0 && { images }),
    picture: { ...options, from: from.map(({ fileId }) => fileId), ...(mask && { maskFileId: mask.fileId }) },
  };
}

/** What pictures are made from stays as long as their reply does: another answer begins with it, too. */
export function noteSources(tx: Tx, userId: string, replyId: string, { from, mask }: PicturePlan): Promise<void> {
  return noteUses(tx, userId, [{ id: replyId, parts: mask ? [...from, mask] : from }]);
}

async function readBefore(query: Query, { userId, input }: PictureAsk): Promise<Before> {
  const { target } = input;
  const convoKey = { userId, convoId: input.conversationId };
  switch (target.kind) {
    case 'send': {
      const own = imagesIn(await readAttachments(query, userId, target.files ?? []));
      return { ...(await readBranch(query, userId, target.parentMessageId, own)), isSame: false, made: 0 };
    }
    case 'regenerate': {
      const question = await assertMessage(query, convoKey, target.parentMessageId);
      const [answer] = await query
        .select()
        .from(messages)
        .where(and(eq(messages.userId, userId), eq(messages.parentId, question.id), isNull(messages.deletedAt)))
        .orderBy(desc(messages.seq))
        .limit(1);
      const record = answer?.context?.picture;
      if (record) return { record, isSame: true, pictures: [], made: 0 };
      const branch = await readBranch(query, userId, question.parentId, imagesIn(question.parts));
      return { ...branch, isSame: false, made: 0 };
    }
    case 'continue': {
      const { context, parts } = await assertMessage(query, convoKey, target.messageId);
      if (!context?.picture) return refuse({ type: 'conflict', text: 'This answer has no pictures' });
      return { record: context.picture, isSame: true, pictures: [], made: imagesIn(parts).length };
    }
    case 'edit':
    case 'resume':
      return refuse({ type: 'conflict', text: 'An answer of pictures has no text to go on from' });
    default:
      return target satisfies never;
  }
}

/** The last answer above that has pictures, whose last one a question without pictures of its own is about. */
async function readBranch(
  query: Query,
  userId: string,
  from: string | null,
  own: readonly ImagePart[],
): Promise<Pick<Before, 'record' | 'pictures'>> {
  if (from !== null)
    for await (const { isCreatedByUser, parts, context } of walkUp(query, userId, from)) {
      const made = isCreatedByUser ? [] : imagesIn(parts);
      if (made.length > 0) return { record: context?.picture ?? null, pictures: own.length > 0 ? own : made.slice(-1) };
    }
  return { record: null, pictures: own };
}

function imagesIn(parts: readonly MessagePart[]): ImagePart[] {
  return messageAttachments({ parts: [...parts] }).filter((part) => part.type === 'image');
}

/** Another answer to the same question begins with the same pictures and mask, unless others are named. */
function repeated({ record, isSame }: Before): PictureRecord | null {
  return isSame ? record : null;
}

async function readSources(
  query: Query,
  { userId, model, input }: PictureAsk,
  can: PictureModel,
  before: Before,
): Promise<ImagePart[]> {
  const named = input.picture?.from ?? repeated(before)?.from;
  if (named && named.length > 0 && !can.edits)
    refuse({ type: 'conflict', text: `${model} makes new pictures only: it changes none` });
  if (!can.edits) return [];
  if (named) return readImages(query, userId, named);
  // One that was deleted since is not missed: the question did not name it.
  const there = await readAttachments(
    query,
    userId,
    before.pictures.map(({ fileId }) => fileId),
  );
  return before.pictures.flatMap(({ fileId }) => imagesIn(there).find((one) => one.fileId === fileId) ?? []);
}

async function readImages(query: Query, userId: string, ids: readonly string[]): Promise<ImagePart[]> {
  const found = await readAttachments(query, userId, ids);
  return ids.map((id) => {
    const file = found.find(({ fileId }) => fileId === id.toLowerCase());
    if (!file) return refuse({ type: 'not_found', what: 'file' });
    return file.type === 'image' ? file : refuse({ type: 'invalid_input', text: `${file.name} is no picture.` });
  });
}

/** How far the ratio of a mask may be from that of its picture: its sides are whole pixels. */
const RATIO_TOLERANCE = 0.01;

async function readMask(
  query: Query,
  userId: string,
  can: PictureModel,
  id: string,
  picture: ImagePart | undefined,
): Promise<ImagePart> {
  if (!can.masks) refuse({ type: 'conflict', text: 'This model changes whole pictures only' });
  if (!picture) return refuse({ type: 'invalid_input', text: 'A mask needs the picture that it is for.' });
  const [mask] = await readImages(query, userId, [id]);
  if (!mask) return refuse({ type: 'not_found', what: 'file' });
  const ratio = (mask.width * picture.height) / (mask.height * picture.width);
  if (Math.abs(ratio - 1) <= RATIO_TOLERANCE) return mask;
  return refuse({
    type: 'invalid_input',
    text: `The mask has ${mask.width} x ${mask.height} pixels, which is not the shape of the picture of ${picture.width} x ${picture.height}.`,
  });
}
