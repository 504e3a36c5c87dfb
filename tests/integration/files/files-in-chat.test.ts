// What models see of attached images and files, over each provider's own protocol. The scenario `echo` answers with the
// question as the provider received it, so each image that arrived is in the answer.
import { documents } from '@parley/db/tables/documents';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests } from '../../support/exchange.ts';
import { finalOf, question, send, signUp, type Client } from '../../support/rest/client.ts';
import { lines, makePdfPages } from '../../support/retrieval/documents.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { upload, type FileDocument } from '../../support/uploads.ts';

let provider: FakeProvider;
let server: TestServer;
let alice: Client;

const PDF = makePdfPages([lines(['The mill is old.', 700])]);
const SCAN = makePdfPages(['0 0 9 9 re f']);
const DAMAGED = '%PDF-1.4\n%%EOF';

const MODELS = {
  openAI: 'gpt-4o',
  anthropic: 'claude-3-5-sonnet-20240620',
  google: 'gemini-1.5-pro-latest',
};

beforeAll(async () => {
  provider = await startFakeProvider();
  server = await startTestServer({
    yaml: `
version: "1.0.7"
fileConfig:
  endpoints:
    custom-blind: { totalSizeLimit: 1 }
    custom-strict: { fileSizeLimit: 0.1, supportedMimeTypes: ['image/png', 'application/pdf'] }
endpoints:
  custom:
    - name: custom-strict
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [gpt-4o] }
    - name: custom-blind
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [gpt-3.5-turbo] }
`,
    env: {
      OPENAI_MODELS: 'gpt-4o,gpt-4,gpt-4-vision-preview,gpt-3.5-turbo',
      ANTHROPIC_API_KEY: 'fake',
      ANTHROPIC_MODELS: MODELS.anthropic,
      GOOGLE_KEY: 'fake',
      GOOGLE_MODELS: `${MODELS.google},gemini-pro`,
      ANTHROPIC_REVERSE_PROXY: provider.url,
      GOOGLE_REVERSE_PROXY: provider.url,
      TITLE_CONVO: 'false',
      FILE_UPLOAD_USER_MAX: '1000',
      FILE_UPLOAD_IP_MAX: '1000',
    },
  });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server?.close();
  await provider?.close();
});

describe('an attached file', () => {
  it.each(['openAI', 'anthropic', 'google'] as const)('reaches a model of %s', async (endpoint) => {
    const image = await uploadImage(endpoint);
    const final = await exchange('What is this? [[echo]]', { endpoint, model: MODELS[endpoint], files: [image] });
    expect(final.responseMessage.text).toMatch(/^\[saw image\/png of \d+ bytes\]\nWhat is this\? \[\[echo\]\]$/);
    expect(final.requestMessage.files).toEqual([
      {
        file_id: image.file_id,
        filepath: image.filepath,
        filename: 'tree.png',
        type: 'image/png',
        width: 40,
        height: 30,
      },
    ]);
  });

  it('is named to a model that accepts no images', async () => {
    const image = await uploadImage('openAI');
    const final = await exchange('And now? [[echo]]', {
      model: 'gpt-3.5-turbo',
      files: [image],
      endpoint: 'custom-blind',
    });
    expect(final.responseMessage.text).toBe('[image: tree.png]\nAnd now? [[echo]]');
  });

  it('selects the vision model when the chosen one has no vision', async () => {
    const final = await exchange('Look [[echo]]', { model: 'gpt-4', files: [await uploadImage('openAI')] });
    expect(final.responseMessage.model).toBe('gpt-4-vision-preview');
    expect(final.responseMessage.text).toMatch(/^\[saw image\/png/);
    const body = answerRequests(server.provider).at(-1)?.body;
    expect(body).toMatchObject({ max_tokens: 4000 });
    expect(body).not.toHaveProperty('stop');
  });

  it('is sent again with later questions, unless the conversation is set otherwise', async () => {
    const first = await exchange('First', { model: 'gpt-4o', files: [await uploadImage('openAI')] });
    const later = {
      model: 'gpt-4o',
      conversationId: first.conversation.conversationId,
      parentMessageId: first.responseMessage.messageId,
    };
    await exchange('Again', later);
    expect(JSON.stringify(answerRequests(server.provider).at(-1)?.body)).toContain('data:image/png;base64,');
    await exchange('Without', { ...later, resendFiles: false });
    const body = JSON.stringify(answerRequests(server.provider).at(-1)?.body);
    expect(body).not.toContain('data:image/png;base64,');
    expect(body).toContain('[image: tree.png]');
  });

  it('stays behind alone where only its images are not to be sent again, a setting that no provider is sent', async () => {
    const notes = await upload(server.url, alice, { bytes: 'Oaks', name: 'notes.md', type: 'text/markdown' });
    const first = await exchange('First', { model: 'gpt-4o', files: [await uploadImage('openAI'), notes] });
    const later = {
      model: 'gpt-4o',
      conversationId: first.conversation.conversationId,
      parentMessageId: first.responseMessage.messageId,
      resendImages: false,
      iconURL: 'https://icons.example/a.png',
    };
    const second = await exchange('Again', later);
    const sent = answerRequests(server.provider).at(-1)?.body;
    const body = JSON.stringify(sent);
    expect(body).toContain('[image: tree.png]');
    expect(body).toContain('Oaks');
    expect(body).not.toContain('data:image/png;base64,');
    for (const name of ['resendImages', 'iconURL']) expect(sent).not.toHaveProperty(name);
    expect(second.conversation).toMatchObject({ resendImages: false, iconURL: later.iconURL });
  });

  it.each(['openAI', 'anthropic', 'google'] as const)(
    'that is a PDF is sent to %s as it is, where that is set',
    async (endpoint) => {
      const pdf = await upload(server.url, alice, { bytes: PDF, name: 'a.pdf', type: 'application/pdf' });
      const asked = { endpoint, model: MODELS[endpoint], files: [pdf] };
      const asText = await exchange('What? [[echo]]', asked);
      expect(asText.responseMessage.text).not.toContain('[saw ');
      const first = await exchange('What? [[echo]]', { ...asked, pdfAsFile: true });
      expect(first.responseMessage.text).toBe(`[saw application/pdf of ${PDF.length} bytes]\nWhat? [[echo]]`);
      const again = {
        endpoint,
        model: MODELS[endpoint],
        pdfAsFile: true,
        conversationId: first.conversation.conversationId,
        parentMessageId: first.responseMessage.messageId,
      };
      await exchange(`Once more by ${endpoint}`, again);
      const encoded = Buffer.from(PDF).toString('base64');
      const bodies = [...server.provider.requests, ...provider.requests].map(({ body }) => JSON.stringify(body));
      expect(bodies.find((body) => body?.includes(`Once more by ${endpoint}`))).toContain(encoded);
    },
  );

  it('with text is sent whole, also with later questions, and another type is named', async () => {
    const notes = await upload(server.url, alice, {
      bytes: 'Water boils at 100.',
      name: 'notes.md',
      type: 'text/markdown',
    });
    const model = 'gpt-4o';
    const first = await exchange('When? [[echo]]', { model, files: [notes] });
    expect(first.responseMessage.text).toMatch(
      /^\[1\] <file name="notes.md">\nWater boils at 100.\n<\/file>\n[^\n]*\nWhen\? \[\[echo\]\]$/,
    );
    const parentMessageId = first.responseMessage.messageId;
    await exchange('And milk?', { model, parentMessageId, conversationId: first.conversation.conversationId });
    expect(JSON.stringify(answerRequests(server.provider).at(-1)?.body)).toContain('Water boils at 100.');
    const pdf = await upload(server.url, alice, { bytes: DAMAGED, name: 'a.pdf', type: 'application/pdf' });
    const named = await exchange('This? [[echo]]', { model, files: [pdf] });
    expect(named.responseMessage.text).toBe('[file: a.pdf; it is damaged]\nThis? [[echo]]');
  });

  it('is shown by passages when its text is longer than a quarter of the window', async () => {
    const long = await upload(server.url, alice, {
      bytes: 'word '.repeat(20_000),
      name: 'long.txt',
      type: 'text/plain',
    });
    const final = await exchange('Sum up [[echo]]', { model: 'gpt-3.5-turbo', files: [long] });
    expect(final.responseMessage.text).toMatch(/^\[file: long\.txt\]\n\[1\] <file name="long\.txt">\nword word/);
    expect(final.responseMessage.text.length).toBeLessThan(15_000);
  });

  it('can be sent without text', async () => {
    const final = await exchange('', { model: 'gpt-4o', files: [await uploadImage('openAI')] });
    expect(final.requestMessage.text).toBe('');
    expect(final.responseMessage.text).not.toBe('');
  });

  it('is named after it is deleted', async () => {
    const image = await uploadImage('openAI');
    const first = await exchange('Keep this', { model: 'gpt-4o', files: [image] });
    const removal = { files: [{ file_id: image.file_id, filepath: image.filepath, source: 'local', embedded: false }] };
    const removed = await send(server.url, 'DELETE', '/api/files', removal, alice.headers);
    expect(removed.status).toBe(200);
    const parentMessageId = first.responseMessage.messageId;
    const { conversationId } = first.conversation;
    await exchange('Still there?', { model: 'gpt-4o', conversationId, parentMessageId });
    expect(JSON.stringify(answerRequests(server.provider).at(-1)?.body)).toContain('[image: tree.png]');
  });

  it('is refused when all together are larger than the endpoint allows', async () => {
    const large = async () =>
      upload(server.url, alice, { bytes: 'x'.repeat(600 * 1024), name: 'a.txt', type: 'text/plain' });
    const files = [
      await large(),
      await upload(server.url, alice, { bytes: 'y'.repeat(600 * 1024), name: 'b.txt', type: 'text/plain' }),
    ];
    const ask = (asked: FileDocument[]) =>
      alice.ask(
        question('Sum up', { model: 'gpt-3.5-turbo', endpoint: 'custom-blind', endpointType: 'custom', files: asked }),
        'custom',
      );
    const text = 'The total size of the files cannot exceed 1 MB.';
    expect(await ask(files)).toMatchObject([{ event: 'error', data: { text: expect.stringContaining(text) } }]);
    const [first] = files;
    expect((await ask(first ? [first] : [])).at(-1)).toMatchObject({ data: { final: true } });
  });

  it('uploaded for another endpoint is refused by the one that is asked, where that takes no such type or size', async () => {
    const ask = (file: FileDocument) =>
      alice.ask(
        question('Read it', { model: 'gpt-4o', endpoint: 'custom-strict', endpointType: 'custom', files: [file] }),
        'custom',
      );
    const refusal = (sentence: string) => [{ event: 'error', data: { text: expect.stringContaining(sentence) } }];
    const notes = await upload(server.url, alice, { bytes: '# Plan', name: 'plan.md' });
    expect(await ask(notes)).toMatchObject(refusal('plan.md is of a type that custom-strict does not take.'));
    const large = await upload(server.url, alice, { bytes: `${PDF}${' '.repeat(200_000)}`, name: 'large.pdf' });
    expect(await ask(large)).toMatchObject(refusal('large.pdf is larger than the 0.1 MB that custom-strict takes.'));
    // Images are stored in the format that the operator has chosen.
    expect((await ask(await uploadImage('openAI'))).at(-1)).toMatchObject({ data: { final: true } });
  });

  it('that is a scan is sent as it is to a model that reads pages, whatever is set; a damaged PDF never is', async () => {
    const scan = await upload(server.url, alice, { bytes: SCAN, name: 'scan.pdf' });
    await failedToRead(scan);
    const seen = await exchange('What? [[echo]]', { model: 'gpt-4o', files: [scan] });
    expect(seen.responseMessage.text).toContain(`[saw application/pdf of ${SCAN.length} bytes]`);
    const blind = await exchange('What? [[echo]]', { model: 'gpt-3.5-turbo', files: [scan] });
    expect(blind.responseMessage.text).toContain('[file: scan.pdf; it has no text]');
    const damaged = await upload(server.url, alice, { bytes: `${DAMAGED} `, name: 'damaged.pdf' });
    await failedToRead(damaged);
    const told = await exchange('What? [[echo]]', { model: 'gpt-4o', files: [damaged], pdfAsFile: true });
    expect(told.responseMessage.text).toBe('[file: damaged.pdf; it is damaged]\nWhat? [[echo]]');
  });

  async function failedToRead({ file_id }: FileDocument): Promise<void> {
    const look = () => server.db.query.select().from(documents).where(eq(documents.fileId, file_id));
    await expect.poll(async () => (await look())[0]?.state).toBe('failed');
  }

  it('is refused like a missing one when it belongs to another user', async () => {
    const bob = await signUp(server.url, 'bob');
    const image = await uploadImage('openAI');
    const frames = await bob.ask(question('Mine?', { model: 'gpt-4o', files: [image] }));
    const told = { text: 'The file was not found.', error: true, isCreatedByUser: false };
    expect(frames).toEqual([{ event: 'error', data: expect.objectContaining(told) }]);
  });
});

async function uploadImage(endpoint: string): Promise<FileDocument> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
  const fields = { endpoint, width: '40', height: '30' };
  return upload(server.url, alice, { bytes, name: 'tree.png', type: 'image/png', fields });
}

interface Asked {
  endpoint?: string;
  model?: string;
  files?: FileDocument[];
}

async function exchange(text: string, { endpoint = 'openAI', ...over }: Asked & Record<string, unknown>) {
  const path = endpoint === 'custom-blind' ? 'custom' : endpoint;
  const type = path === 'custom' ? { endpointType: 'custom' } : {};
  return finalOf(await alice.ask(question(text, { endpoint, ...type, ...over }), path));
}
