import { isFailure, type Message } from '@parley/schema/messages';
import { buildTree } from '@parley/schema/tree';
import type { TFunction } from 'i18next';
import { useAtomValue } from 'jotai';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { branchesAtom, shownPath } from '../chat/thread/branches.ts';
import { takesKey } from '../keys/key-state.ts';
import { describeError } from '../lib/describe-error.ts';
import { describeReason, type Failing } from '../lib/describe-reason.ts';
import { statusOf } from '../lib/reason-of.ts';
import { trpc } from '../trpc.ts';
import { asCsv } from './as-csv.ts';
import { asJson } from './as-json.ts';
import { asMarkdown } from './as-markdown.ts';
import { asText } from './as-text.ts';
import { formats, type Choices } from './formats.ts';
import { fitsPicture } from './picture.ts';
import { saveFile } from './save-file.ts';
import { Sheet } from './sheet.tsx';
import type { Transcript } from './transcript.ts';

interface Export {
  /** Makes the file and hands it to the browser. Never throws: what went wrong is in `problem`. */
  save: (choices: Choices) => Promise<void>;
  isBusy: boolean;
  problem: string | null;
  /** What is drawn out of sight to be made a picture of. */
  offScreen: ReactNode;
}

export function useExport(conversationId: string, onDone: () => void): Export {
  const { t } = useTranslation();
  const { client, endpoints } = trpc.useUtils();
  const branches = useAtomValue(branchesAtom)[conversationId] ?? {};
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);

  async function read(): Promise<Transcript> {
    const ref = { conversationId };
    const [convo, messages] = await Promise.all([client.convos.byId.query(ref), client.messages.list.query(ref)]);
    // The branch on screen is a path of nodes; how large they are plays no part in it.
    const tree = buildTree(messages.map((message) => ({ ...message, size: 0, version: 0 })));
    return {
      convo,
      title: convo.title ?? t('com_ui_new_chat'),
      tree,
      path: shownPath(tree, branches).flatMap(({ messageId }) => tree.byId.get(messageId) ?? []),
      exportAt: new Date().toTimeString(),
      failureOf: (message) =>
        failureOf(message, t, { takesKey: takesKey(endpoints.list.getData()?.[message.endpoint]) }),
    };
  }

  /** The file, or the sentence that says why there can be none. */
  async function make(choices: Choices): Promise<Blob | string> {
    const transcript = await read();
    const { format } = choices;
    if (transcript.path.length === 0) return t('com_export_empty');
    if (format !== 'screenshot') return new Blob(piecesOf(transcript, choices, format), { type: formats[format].type });
    const picture = fitsPicture(transcript) ? await draw(transcript) : null;
    return picture ?? t('com_export_too_long');
  }

  function draw(transcript: Transcript): Promise<Blob | null> {
    return new Promise((onDrawn, onFailed) => setDrawing({ transcript, onDrawn, onFailed }));
  }

  async function save(choices: Choices): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const made = await make(choices);
      if (typeof made === 'string') return setProblem(made);
      saveFile(made, `${choices.fileName}.${formats[choices.format].extension}`);
      onDone();
    } catch (error) {
      setProblem(sentenceOf(error, t));
    } finally {
      setBusy(false);
      setDrawing(null);
    }
  }

  return { save, isBusy, problem, offScreen: drawing && <Sheet {...drawing} /> };
}

interface Drawing {
  transcript: Transcript;
  onDrawn: (picture: Blob | null) => void;
  onFailed: (error: unknown) => void;
}

function piecesOf(
  transcript: Transcript,
  choices: Choices,
  format: Exclude<Choices['format'], 'screenshot'>,
): string[] {
  switch (format) {
    case 'text':
      return asText(transcript, choices);
    case 'markdown':
      return asMarkdown(transcript, choices);
    case 'json':
      return asJson(transcript, choices);
    case 'csv':
      return asCsv(transcript, choices);
    default:
      return format satisfies never;
  }
}

function failureOf(message: Message, t: TFunction, failing: Failing): string {
  return message.reason && isFailure(message) ? describeReason(message.reason, t, failing) : '';
}

function sentenceOf(error: unknown, t: TFunction): string {
  return statusOf(error) === null && navigator.onLine ? t('com_export_failed') : describeError(error, t);
}
