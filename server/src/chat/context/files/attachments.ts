// What a model is shown of the images and files of a conversation.
import { cleanText } from '@parley/schema/clean-text';
import type { ImageDetail } from '@parley/schema/catalog/image-tokens';
import {
  messageAttachments,
  type Attachment,
  type FilePart,
  type ImagePart,
  type MessagePart,
} from '@parley/schema/messages/messages';
import type { ChatFile, ChatImage, ChatMessage, FinishedCall } from '../../../providers/provider.ts';
import type { HistoryStep, StepRules } from '../steps.ts';
import { decodeText } from '../../../retrieval/extract/encodings/decode.ts';

/** Says how a conversation's attachments are shown to its model. */
export interface AttachmentRules {
  /** False where the model accepts no images: their names stand in the text. */
  showsImages: boolean;
  /** Whether the asked endpoint takes it; one that was attached for another endpoint is only named. */
  takes(attached: Attachment): boolean;
  /** Whether those of earlier questions are sent again. */
  resends: boolean;
  /** The same for their images, which need not go where other files do. */
  resendsImages: boolean;
  detail: ImageDetail;
  /** Prompt tokens of one image. */
  tokensOf(image: ImagePart): number;
  files: FileView;
  /** How the tool calls of earlier replies are shown; null where only the text of replies is. */
  steps: StepRules | null;
}

/** How the files that are no images are shown. */
export interface FileView {
  /** What stands for a file in the message that it is attached to. */
  show(file: FilePart): Promise<ShownText>;
  /** What stands before the newest question; empty for nothing. */
  passages: string;
}

/** A text, or in a preview, which reads none, an estimate of its tokens; or a file that is sent as it is. */
export type ShownText =
  | { text: string; tokens?: never; file?: never }
  | { text?: never; tokens: number; file?: FilePart };

/** A message before its images are read. */
export interface HistoryMessage {
  /** On answers: what the model said and called before `content`. */
  steps?: readonly HistoryStep[];
  role: ChatMessage['role'];
  content: string;
  images?: readonly ImagePart[];
  /** Files that are sent as they are. */
  files?: readonly FilePart[];
  /** Tokens beside the content: an estimate for all of those, and for the text of files that is not read in a preview. */
  attachedTokens?: number;
}

/** Reads a user's file of at most `maxBytes`; null when it is gone or larger. */
export type ReadFile = (
  userId: string,
  fileId: string,
  maxBytes: number,
) => Promise<{ bytes: Uint8Array; mime: string } | null>;

/** Why a file that the endpoint does not take is only named. */
export const NOT_TAKEN = 'it is of a type or size that is not taken here';
/** A larger text file is only named. */
const TEXT_BYTES_MAX = 8 * 1024 * 1024;
/** Anthropic's limit for one image; the other providers take more. */
const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
/** For all images of a call: requests of more are refused by most providers. */
const CALL_BYTES_MAX = 20 * 1024 * 1024;

/** For texts about a conversation, such as its summary. */
export const namesOnly: AttachmentRules = {
  showsImages: false,
  takes: () => true,
  resends: false,
  resendsImages: false,
  detail: 'low',
  tokensOf: () => 0,
  files: {
    show: async (file) => ({ text: nameOf(file) }),
    passages: '',
  },
  steps: null,
};

/** A text, and its encoding where that was guessed. */
export interface ReadText {
  text: string;
  guessed: string | null;
}

/** Reads the text files of a user for a call. */
export function textReader(userId: string, readFile: ReadFile): (file: FilePart) => Promise<ReadText | null> {
  return async ({ fileId }) => {
    const file = await readFile(userId, fileId, TEXT_BYTES_MAX);
    if (!file) return null;
    const { text, guessed } = await decodeText(file.bytes);
    return { text: cleanText(text), guessed };
  };
}

/**
 * A question for the model, with its images and files. Attachments that it is not shown are named in the text. `isLast`
 * is for the newest question, which gets the passages.
 */
export async function withAttachments(
  parts: readonly MessagePart[],
  text: string,
  rules: AttachmentRules,
  isLast: boolean,
): Promise<HistoryMessage> {
  const isSent = isLast || rules.resends;
  const isSeen = rules.showsImages && (isLast || rules.resendsImages);
  const shown: ShownText[] = [];
  const images: ImagePart[] = [];
  for (const one of messageAttachments({ parts: [...parts] })) {
    if (!rules.takes(one)) shown.push({ text: nameOf(one, NOT_TAKEN) });
    else if (one.type === 'image' && isSeen) images.push(one);
    else shown.push(one.type === 'file' && isSent ? await rules.files.show(one) : { text: nameOf(one) });
  }
  if (isLast) shown.push({ text: rules.files.passages });
  const content = [...shown.map((one) => one.text ?? ''), text].filter((line) => line !== '').join('\n');
  const fileTokens = shown.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  const attachedTokens = images.map(rules.tokensOf).reduce((total, tokens) => total + tokens, fileTokens);
  const files = shown.flatMap(({ file }) => file ?? []);
  return {
    role: 'user',
    content,
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
    ...(attachedTokens > 0 && { attachedTokens }),
  };
}

/** The images of a message, those of its calls included. */
export function messageImages({ images = [], steps = [] }: HistoryMessage): ImagePart[] {
  return [...images, ...steps.flatMap(({ calls }) => calls.flatMap((call) => call.images))];
}

/**
 * Reads the images and files of a call, the newest first. One that is gone or does not fit is named instead, and so is
 * a file that a later message has, too. `onImage` gets each image that is read.
 */
export async function loadAttachments(
  messages: readonly HistoryMessage[],
  userId: string,
  { detail }: Pick<AttachmentRules, 'detail'>,
  readFile: ReadFile,
  onImage: (image: ImagePart) => void,
): Promise<ChatMessage[]> {
  let left = CALL_BYTES_MAX;
  const sent = new Set<string>();
  const loaded: ChatMessage[] = [];
  for (const message of messages.toReversed()) {
    const { steps = [] } = message;
    const own = await loadMessage(message);
    if (own.content !== '' || steps.length === 0) loaded.push(own);
    for (const step of steps.toReversed()) loaded.push(await loadStep(step));
  }
  return loaded.toReversed();

  async function loadMessage({ role, content, images = [], files = [] }: HistoryMessage): Promise<ChatMessage> {
    const { shown, missing } = await readImages(images);
    const documents: ChatFile[] = [];
    for (const file of files) {
      const read = sent.has(file.fileId) ? null : await readFile(userId, file.fileId, file.bytes);
      sent.add(file.fileId);
      if (read) documents.push({ name: file.name, mime: read.mime, data: Buffer.from(read.bytes).toString('base64') });
      else missing.push(nameOf(file));
    }
    return {
      role,
      content: [...missing, content].filter((line) => line !== '').join('\n'),
      ...(shown.length > 0 && { images: shown }),
      ...(documents.length > 0 && { files: documents }),
    };
  }

  async function readImages(images: readonly ImagePart[]): Promise<{ shown: ChatImage[]; missing: string[] }> {
    const shown: ChatImage[] = [];
    const missing: string[] = [];
    for (const image of images) {
      const file = await readFile(userId, image.fileId, Math.min(left, IMAGE_BYTES_MAX));
      left -= file?.bytes.length ?? 0;
      if (!file) {
        missing.push(nameOf(image));
        continue;
      }
      shown.push({ mime: file.mime, data: Buffer.from(file.bytes).toString('base64'), detail });
      onImage(image);
    }
    return { shown, missing };
  }

  async function loadStep({ content, signatures, calls }: HistoryStep): Promise<ChatMessage> {
    const finished: FinishedCall[] = [];
    for (const { call, images } of calls) {
      const { shown } = await readImages(images);
      finished.push({ ...call, ...(shown.length > 0 && { images: shown }) });
    }
    return { role: 'assistant', content, calls: finished, ...(signatures.length > 0 && { signatures }) };
  }
}

function nameOf({ type, name = 'image' }: Attachment, why?: string): string {
  return `[${type}: ${name}${why === undefined ? '' : `; ${why}`}]`;
}
