// REST handlers for stored files and for what clients ask of speech (docs/rest-compat.md, Files, Speech). Uploads and downloads are streams, in server/src/files.
import * as z from 'zod';
import type { Api } from '../../router.ts';
import type { RefusedRequest } from '../errors.ts';
import { presentRestFile } from '../present/present-file.ts';
import { asJson, plain, withoutBody } from '../responses.ts';
import { authed, type Call } from '../route.ts';
import { RestFile } from '../shapes/file.ts';
import { FileConfig } from '../shapes/file-config.ts';
import { FailedAndTold, Told } from '../shapes/shapes.ts';

/** Clients name files of assistants by the provider's ids, too; those are no files of ours. */
const FileId = z.union([z.uuid(), z.string().regex(/^(?:file|assistant)-/)]);
const Removal = z.object({
  files: z.array(z.object({ file_id: z.unknown().optional() })),
  /** A file that is deleted leaves every assistant that has it, so this changes nothing more. */
  assistant_id: z.string().max(256).nullish(),
});

const PAGE_FILES = 200;
const REMOVE_MAX = 1000;

const byFileKey = { keyScope: 'files' } as const;

/** What clients begin with. */
const SpeechSettings = z.looseObject({ sttExternal: z.boolean(), ttsExternal: z.boolean() });
/** The word by which these clients go on with speech settings of their own. */
const NoSpeech = z.object({ message: z.literal('not_found') });

const NO_SPEECH = { message: 'not_found' } as const;

export const fileRoutes = [
  authed('GET', '/api/files', listFiles, {
    summary: 'The files of the person, those that changed last first',
    answers: { 200: asJson('A list; avatars are left out.', z.array(RestFile)) },
    ...byFileKey,
  }),
  authed('DELETE', '/api/files', removeFiles, {
    summary: 'Deletes files',
    description: 'Foreign and missing ids, and those of providers (`file-…`, `assistant-…`), are skipped.',
    body: Removal,
    answers: {
      200: asJson('A message.', Told),
      204: withoutBody('No id is valid.'),
      400: asJson('There is no list.', FailedAndTold),
    },
    refused: onFailedRemoval,
    ...byFileKey,
  }),
  authed('GET', '/api/files/config', async (api) => (await api.files.config()) ?? plain(''), {
    summary: 'The limits of files, by endpoint',
    answers: {
      200: {
        ...asJson('`fileConfig` of the configuration, sizes in MB; without one an empty text.', FileConfig),
        orText: true,
      },
    },
    ...byFileKey,
  }),
  authed('GET', '/api/files/speech/config/get', async (api) => (await api.speech.clientSettings()) ?? NO_SPEECH, {
    summary: 'What clients begin with: `speech.speechTab` of the yaml file, and who writes and reads',
    answers: { 200: asJson('The settings, in one flat object.', z.union([SpeechSettings, NoSpeech])) },
  }),
  authed('GET', '/api/files/speech/tts/voices', async (api) => [...((await api.speech.facts()).voices ?? [])], {
    summary: 'The voices that read aloud',
    answers: { 200: asJson('Their names; none where the server reads nothing.', z.array(z.string())) },
  }),
];

async function listFiles(api: Api, { userId }: Call): Promise<RestFile[]> {
  const all: RestFile[] = [];
  let cursor: string | null = null;
  do {
    const { files, nextCursor }: Awaited<ReturnType<Api['files']['list']>> = await api.files.list({
      cursor,
      limit: PAGE_FILES,
    });
    all.push(...files.map((file) => presentRestFile(userId, file)));
    cursor = nextCursor;
  } while (cursor !== null);
  return all;
}

async function removeFiles(api: Api, { body }: Call): Promise<Response> {
  const named = Removal.parse(body).files.map(({ file_id: id }) => FileId.safeParse(id).data);
  const valid = named.filter((id) => id !== undefined);
  if (valid.length === 0) return new Response(null, { status: 204 });
  const ids = valid.filter((id) => z.uuid().safeParse(id).success);
  for (let at = 0; at < ids.length; at += REMOVE_MAX) await api.files.remove({ ids: ids.slice(at, at + REMOVE_MAX) });
  return Response.json({ message: 'Files deleted successfully' });
}

function onFailedRemoval({ reason, text }: RefusedRequest): Response | null {
  if (reason.type === 'unauthorized') return null;
  return Response.json({ message: 'Error in request', error: text }, { status: 400 });
}
