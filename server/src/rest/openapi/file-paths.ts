// For the document: paths that take or give files, which their domains serve (`files/`, `transfer/`, `shares/`,
// `assistants/`).
import { asBytes, asJson, asLines, withoutBody } from '../responses.ts';
import type { Answer, DocumentedPath, RouteDoc } from '../route.ts';
import { RestAssistant } from '../shapes/assistant.ts';
import {
  AssistantAvatarForm,
  AvatarForm,
  AvatarUrl,
  FileForm,
  ImageForm,
  ImportForm,
  UploadedFile,
} from '../shapes/file.ts';
import { RecordingForm, Refused, SpokenForm, Written } from '../shapes/speech.ts';
import { ImportLine } from '../shapes/import-line.ts';
import { Told } from '../shapes/shapes.ts';

const BY_SESSION = { isPublic: false } as const;
const BY_COOKIE = { isPublic: false, opensToCookies: true } as const;
const BY_KEY = { isPublic: false, keyScope: 'files' } as const;
const FOR_EVERYBODY = { isPublic: true } as const;

const FORM = ['multipart/form-data'];
const ZIP = ['application/zip'];
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const ANY = ['application/octet-stream'];

const REFUSED_UPLOAD: RouteDoc['answers'] = {
  500: 'What is wrong with the file, or with the server.',
  507: 'The disk is full, or the room of the person.',
};
const UPLOADED = { 200: asJson('The file.', UploadedFile), ...REFUSED_UPLOAD };

const REFUSED_SPEECH: RouteDoc['answers'] = {
  402: asJson('The balance or a budget does not allow it.', Refused),
  403: asJson('The model is for others.', Refused),
  422: asJson('What was sent is not taken, or the server has no such service.', Refused),
  429: asJson('Too often.', Refused),
  502: asJson('The service fails, or refuses it.', Refused),
};

const UNCHANGED = withoutBody('It is the file of `If-None-Match`.');
const DOWNLOADED: Record<number, Answer> = {
  200: asBytes('The file, to be saved.', ANY),
  206: asBytes('The bytes of `Range`.', ANY),
  304: UNCHANGED,
  416: asBytes('`Range` is beyond the end: nothing.', ANY),
};
const SHOWN: Record<number, Answer> = { 200: asBytes('The image.', IMAGES), 304: UNCHANGED };
/** Where the operator shows links to signed-in people alone. */
const OF_SHARE = { 401: 'Strangers may not see links here.' };

const ASSISTANT_AVATAR: RouteDoc = {
  summary: 'Changes the picture of an assistant',
  body: AssistantAvatarForm,
  bodyTypes: FORM,
  answers: { 201: asJson('The assistant.', RestAssistant), ...REFUSED_UPLOAD },
};

const uploads: readonly DocumentedPath[] = [
  {
    ...BY_KEY,
    method: 'POST',
    path: '/api/files',
    doc: {
      summary: 'Sends a file',
      description: 'What is not used within an hour is deleted, unless `keep` is `true`.',
      body: FileForm,
      bodyTypes: FORM,
      answers: UPLOADED,
    },
  },
  {
    ...BY_KEY,
    method: 'POST',
    path: '/api/files/images',
    doc: {
      summary: 'Sends an image, which is written anew',
      body: ImageForm,
      bodyTypes: FORM,
      answers: UPLOADED,
    },
  },
  {
    ...BY_SESSION,
    method: 'POST',
    path: '/api/files/images/avatar',
    doc: {
      summary: 'Changes the picture of the person',
      body: AvatarForm,
      bodyTypes: FORM,
      answers: { 200: asJson('Its address.', AvatarUrl), ...REFUSED_UPLOAD },
    },
  },
  ...['', '/v1', '/v2'].map((version) => ({
    ...BY_SESSION,
    method: 'POST' as const,
    path: `/api/assistants${version}/avatar/:assistant_id`,
    doc: ASSISTANT_AVATAR,
  })),
];

const downloads: readonly DocumentedPath[] = [
  {
    ...BY_KEY,
    ...BY_COOKIE,
    method: 'GET',
    path: '/api/files/download/:userId/:fileId',
    doc: {
      summary: 'Gives a file of the person',
      description: '`Range` and `If-Range` are taken. The header `X-File-Metadata` has the file’s document.',
      answers: DOWNLOADED,
    },
  },
  {
    ...BY_COOKIE,
    method: 'GET',
    path: '/images/:userId/:name',
    doc: { summary: 'Shows an image of the person', answers: SHOWN },
  },
  {
    ...BY_COOKIE,
    method: 'GET',
    path: '/images/assistants/:id/:name',
    doc: {
      summary: 'Shows the picture of an assistant to everybody who may use it',
      answers: SHOWN,
    },
  },
  {
    ...FOR_EVERYBODY,
    method: 'GET',
    path: '/api/share/:id/images/:name',
    doc: {
      summary: 'Shows an image of a shared conversation',
      answers: { ...SHOWN, ...OF_SHARE },
    },
  },
  {
    ...FOR_EVERYBODY,
    method: 'GET',
    path: '/api/share/:id/files/:name',
    doc: {
      summary: 'Gives a file of a shared conversation',
      answers: { ...DOWNLOADED, ...OF_SHARE },
    },
  },
];

const transfers: readonly DocumentedPath[] = [
  {
    ...BY_SESSION,
    method: 'GET',
    path: '/api/export',
    doc: {
      summary: 'Gives everything of the person as one ZIP file',
      description: 'Needs a proof of who asks that is at most ten minutes old, which is given on the site itself.',
      answers: {
        200: asBytes('The file, written while it is read. One that breaks off is cut, and no ZIP file.', ZIP),
      },
    },
  },
  {
    ...BY_SESSION,
    method: 'POST',
    path: '/api/import',
    doc: {
      summary: 'Takes conversations of other programs, or an export of everything',
      description: 'The body is the file itself: JSON of any length, or a ZIP file. It is read while it arrives.',
      bodyTypes: ['application/json', ...ZIP, ...ANY],
      answers: { 200: asLines('A line for each item, and one at the end, without which it broke off.', ImportLine) },
    },
  },
  {
    ...BY_SESSION,
    method: 'POST',
    path: '/api/convos/import',
    doc: {
      summary: 'The same as a form with one file',
      body: ImportForm,
      bodyTypes: FORM,
      answers: { 201: asJson('It was imported.', Told), 400: 'Nothing of it was.', 507: 'The disk is full.' },
    },
  },
];

const speech: readonly DocumentedPath[] = [
  {
    ...BY_SESSION,
    method: 'POST',
    path: '/api/files/speech/stt',
    doc: {
      summary: 'Writes down a recording, which is not stored',
      description: 'At most ten minutes and 25 MB of WebM, Ogg, MP4, WAV, MP3 or FLAC.',
      body: RecordingForm,
      bodyTypes: FORM,
      answers: { 200: asJson('What was said.', Written), ...REFUSED_SPEECH },
    },
  },
  {
    ...BY_SESSION,
    method: 'POST',
    path: '/api/files/speech/tts/manual',
    doc: {
      summary: 'Reads a text aloud',
      description: 'The same text costs nothing a second time within a day.',
      body: SpokenForm,
      bodyTypes: ['application/json', 'application/x-www-form-urlencoded', ...FORM],
      answers: { 200: asBytes('The sound, while it arrives.', ['audio/mpeg']), ...REFUSED_SPEECH },
    },
  },
];

export const filePaths: readonly DocumentedPath[] = [...uploads, ...downloads, ...speech, ...transfers];
