import { isFailure, type Message } from '@parley/schema/messages/messages';
import { buildTree } from '@parley/schema/messages/tree';
import type { TFunction } from 'i18next';
import { useAtomValue } from 'jotai';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { branchesAtom, shownPath } from '../chat/cache/branches.ts';
import { takesKey } from '../keys/key-state.ts';
import { describeError } from '../errors/describe-error.ts';
import { describeReason, type Failing } from '../errors/describe-reason.ts';
import { errorStatus } from '../errors/error-reason.ts';
import { trpc } from '../trpc.ts';
import { asCsv } from './as-csv.ts';
import { asJson } from './as-json.ts';
import { asMarkdown } from './as-markdown.ts';
import { asText } from './as-text.ts';
import { formats, type ExportOptions } from './formats.ts';
import { fitsImage } from './element-image.ts';
import { saveFile } from '../lib/save-file.ts';
import { Screenshot } from './screenshot.tsx';
import type { Transcript } from './transcript.ts';

interface Export {
  /** Creates the file and downloads it. Never throws: `problem` holds the error. */
  save: (choices: ExportOptions) => Promise<void>;
  isBusy: boolean;
  problem: string | null;
  /** The off-screen element for the image export. */
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
    // Nodes of the branch on screen; their sizes do not matter here.
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

  /** The file, or the message why there is none. */
  async function make(choices: ExportOptions): Promise<Blob | string> {
    const transcript = await read();
    const { format } = choices;
    if (transcript.path.length === 0) return t('com_export_empty');
    if (format !== 'screenshot') return new Blob(piecesOf(transcript, choices, format), { type: formats[format].type });
    const image = fitsImage(transcript) ? await draw(transcript) : null;
    return image ?? t('com_export_too_long');
  }

  function draw(transcript: Transcript): Promise<Blob | null> {
    return new Promise((onDrawn, onFailed) => setDrawing({ transcript, onDrawn, onFailed }));
  }

  async function save(choices: ExportOptions): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const made = await make(choices);
      if (typeof made === 'string') return setProblem(made);
      saveFile(made, `${choices.fileName}.${formats[choices.format].extension}`);
      onDone();
    } catch (error) {
      setProblem(errorStatus(error) === null && navigator.onLine ? t('com_export_failed') : describeError(error, t));
    } finally {
      setBusy(false);
      setDrawing(null);
    }
  }

  return { save, isBusy, problem, offScreen: drawing && <Screenshot {...drawing} /> };
}

interface Drawing {
  transcript: Transcript;
  onDrawn: (image: Blob | null) => void;
  onFailed: (error: unknown) => void;
}

function piecesOf(
  transcript: Transcript,
  choices: ExportOptions,
  format: Exclude<ExportOptions['format'], 'screenshot'>,
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
  return message.reason && isFailure(message)
    ? describeReason(message.reason, t, { ...failing, parts: message.parts })
    : '';
}
