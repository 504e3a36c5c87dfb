// @vitest-environment happy-dom
// The files of an unsent question: what a reload keeps, and how they travel with the ask.
import type { Attachment } from '@parley/schema/messages/messages';
import { createStore } from 'jotai';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildTree } from '@parley/schema/messages/tree';
import { changeAttachment } from '../../../../web/src/chat/attachments/change-attachment.ts';
import {
  areUploaded,
  asDraftAttachment,
  uploadedAttachments,
  type DraftAttachment,
} from '../../../../web/src/chat/drafts/draft-attachments.ts';
import { createDraftStore, draftStoreOf } from '../../../../web/src/chat/drafts/draft-store.ts';
import { createOutbox } from '../../../../web/src/chat/exchanges/outbox.ts';
import { prepareAgain, prepareSend } from '../../../../web/src/chat/exchanges/prepare-ask.ts';
import { restoreDraft } from '../../../../web/src/chat/exchanges/restore-draft.ts';
import { asText } from '../../../../web/src/export/as-text.ts';
import { asCsv } from '../../../../web/src/export/as-csv.ts';
import { exportedMessage, wholeMessageText } from '../../../../web/src/export/exported-message.ts';
import { convo, gpt, message } from '../chat/people.ts';

const image: Attachment = {
  type: 'image',
  fileId: '00000000-0000-4000-8000-000000000001',
  path: '/images/u/1.png',
  width: 4,
  height: 3,
  name: 'sea.png',
  mime: 'image/png',
  bytes: 70,
};
const paper: Attachment = {
  type: 'file',
  fileId: '00000000-0000-4000-8000-000000000002',
  path: '/api/files/download/u/2',
  name: 'plan.pdf',
  mime: 'application/pdf',
  bytes: 90,
};
const uploading: DraftAttachment = { ...asDraftAttachment(paper), id: 'u', attachment: null, progress: 0.2 };
/** One that came with the draft: taking it out deletes it, unless the server knows of another use. */
const asOwn = (attachment: Attachment) => ({ ...asDraftAttachment(attachment), isShared: false });
const soon = () => new Date(Date.now() + 60_000).toISOString();

beforeEach(() => localStorage.clear());

describe('the files of a draft', () => {
  test('survive a reload once they are uploaded, until the server would delete them', () => {
    const store = createStore();
    const before = createDraftStore('alice');
    store.set(before.draftAtom('lisbon'), 'Look');
    store.set(before.attachmentsAtom('lisbon'), [asDraftAttachment(image), uploading]);
    before.flush();
    const after = createDraftStore('alice');
    expect(createStore().get(after.attachmentsAtom('lisbon'))).toEqual([asOwn(image)]);
    expect(createStore().get(after.draftAtom('lisbon'))).toBe('Look');
  });

  test('are those of the draft, and what is being uploaded here', () => {
    const store = createStore();
    const drafts = createDraftStore('alice');
    const list = drafts.attachmentsAtom('lisbon');
    const own = { ...asDraftAttachment(image), id: 'a', isShared: false, preview: 'blob:x' };
    store.set(list, [own, uploading]);
    const draft = () => store.get(drafts.local.entry('lisbon'));
    expect(draft()).toMatchObject({ text: '', files: [image], isSaved: false });
    const elsewhere = { text: 'More', files: [paper], editedAt: soon(), seq: 7, isSaved: true, offered: null };
    store.set(drafts.local.entry('lisbon'), elsewhere);
    expect(store.get(list)).toEqual([uploading, asOwn(paper)]);
    store.set(drafts.local.entry('lisbon'), { ...elsewhere, files: [image, paper] });
    expect(store.get(list)).toEqual([own, uploading, asOwn(paper)]);
  });

  test('are ready when no upload is running or failed', () => {
    const ready = asDraftAttachment(image);
    expect(areUploaded([])).toBe(true);
    expect(areUploaded([ready])).toBe(true);
    expect(areUploaded([ready, uploading])).toBe(false);
    expect(areUploaded([{ ...uploading, failure: 'No.' }])).toBe(false);
    expect(areUploaded([{ ...ready, isGone: true }])).toBe(false);
    expect(uploadedAttachments([ready, uploading])).toEqual([image]);
  });

  test('do not change after they are removed', () => {
    const store = createStore();
    const list = createDraftStore('bob').attachmentsAtom('lisbon');
    store.set(list, [uploading]);
    changeAttachment(store, list, 'u', { progress: 0.5 });
    expect(store.get(list)[0]?.progress).toBe(0.5);
    store.set(list, []);
    changeAttachment(store, list, 'u', { progress: 0.9 });
    expect(store.get(list)).toEqual([]);
  });
});

describe('a question with files', () => {
  const asked = () => prepareSend('lisbon', null, '', gpt, [image, paper]);

  test('sends their ids and shows them at once', () => {
    const { ask, request } = asked();
    expect(ask.target).toMatchObject({ kind: 'send', text: '', files: [image.fileId, paper.fileId] });
    expect(request.parts).toEqual([image, paper]);
    expect(prepareSend('lisbon', null, 'Hello', gpt).ask.target).not.toHaveProperty('files');
  });

  test('keeps them in the outbox and when it is sent again', () => {
    const asking = asked();
    expect(prepareAgain(asking, gpt).ask.target).toMatchObject({ files: [image.fileId, paper.fileId] });
    createOutbox('alice').put(asking);
    const [entry] = createOutbox('alice').list();
    expect(entry?.pendingAsk.ask).toEqual(asking.ask);
    expect(entry?.pendingAsk.request.parts).toEqual([image, paper]);
  });

  test('returns them when it is refused, unless other files stand there', () => {
    const store = createStore();
    const drafts = draftStoreOf('carol');
    const deps = { store, drafts, cache: { findMessages: () => [message('first', 1)], forget: () => {} } };
    expect(restoreDraft(deps, asked())).toBe(true);
    const list = drafts.attachmentsAtom('lisbon');
    expect(uploadedAttachments(store.get(list))).toEqual([image, paper]);
    // Taken out they are deleted, unless the server knows of a question that has them.
    expect(store.get(list)).toEqual([image, paper].map(asOwn));
    expect(restoreDraft(deps, asked())).toBe(false);
  });
});

test('exports name the files; JSON has their full records', () => {
  const question = message('q', 1, {
    isCreatedByUser: true,
    sender: 'User',
    parts: [image, paper, { type: 'text', text: 'What is it?' }],
  });
  const said = '[image: sea.png]\n[file: plan.pdf]\nWhat is it?';
  const failureOf = () => '';
  expect(wholeMessageText(question, failureOf)).toBe(said);
  const transcript = {
    convo: convo(),
    title: 'Lisbon',
    tree: buildTree([question]),
    path: [question],
    exportAt: '',
    failureOf,
  };
  expect(asText(transcript, { includeOptions: false }).join('')).toContain(`>> User:\n${said}\n`);
  expect(asCsv(transcript, { exportBranches: false }).join('')).toContain(`"${said}"`);
  expect(exportedMessage(question, transcript)).toMatchObject({ text: 'What is it?', parts: question.parts });
});
