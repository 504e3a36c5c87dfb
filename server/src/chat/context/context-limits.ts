// The limits of a model's context window before any message is added.
import type { Settings } from '@parley/schema/catalog/params';
import type { PdfRule } from '@parley/schema/catalog/pdf';
import type { Endpoint } from '../../catalog/endpoint.ts';
import type { ModelMetadata } from '../../providers/model-metadata.ts';
import { attachmentRules, namesOnly, type AttachmentRules, type FileView } from './files/attachments.ts';
import { takesTools, type EndpointType } from '@parley/schema/catalog/endpoints';
import { takesImages } from '@parley/schema/catalog/vision';
import { replyReserveOf, modelWindow } from '@parley/schema/catalog/windows';
import type { StepRules } from './steps.ts';

export interface ContextLimits {
  /** The context window in tokens. */
  window: number;
  /** Kept free for the reply, in tokens. */
  reserve: number;
  /** The instructions sent with every question; empty when there are none. */
  instructions: string;
  /** Whether a summary replaces what does not fit. */
  summarises: boolean;
  /** Whether the protocol drops answers before the first question. */
  opensWithQuestion: boolean;
  /** Files that are no images are named, unless `withFiles` is set. */
  attachments: AttachmentRules;
}

/** The only place that decides how much of a conversation a model is shown. */
export function contextLimitsOf(
  endpoint: Endpoint,
  model: string,
  settings: Settings,
  metadata: ModelMetadata,
): ContextLimits {
  const window = modelWindow(model, metadata.window);
  // Calls of earlier replies are shown only with tools: some providers refuse them otherwise.
  const steps = toolKeysOf(endpoint, model, settings).length > 0 ? endpointStepRules(endpoint, model) : null;
  return {
    window,
    // Leave room for a question in a small window.
    reserve: Math.min(replyReserveOf(endpoint.type, model, settings), Math.floor(window / 2)),
    instructions: instructionsOf(endpoint, model, settings),
    summarises: endpoint.summaries?.enabled ?? false,
    opensWithQuestion: endpoint.context.opensWithQuestion ?? false,
    attachments: { ...attachmentRules(endpoint, model, settings), files: namesOnly.files, steps },
  };
}

export function withFiles(limits: ContextLimits, files: FileView): ContextLimits {
  return { ...limits, attachments: { ...limits.attachments, files } };
}

/** How much of the window attached files may take: a quarter by their text, and half of it as PDFs. */
export interface FileRules {
  /** The most tokens of the text of all attached files. */
  tokensMax: number;
  /** The most tokens of PDFs that are sent as files. */
  pdfTokensMax: number;
  pdf: PdfRule | null;
  scans: PdfRule | null;
}

export function fileRulesOf({ window, attachments }: Pick<ContextLimits, 'window' | 'attachments'>): FileRules {
  const { pdf, scans } = attachments;
  return { tokensMax: Math.floor(window / 4), pdfTokensMax: Math.floor(window / 2), pdf, scans };
}

/** How calls are shown to this model. */
export function endpointStepRules(endpoint: Pick<Endpoint, 'type' | 'responder'>, model: string): StepRules {
  return { endpointType: spokenType(endpoint), model, showsImages: takesImages(model) };
}

/** The keys of the tools that a reply may use: with an assistant, its own among them. */
export function toolKeysOf(
  endpoint: Pick<Endpoint, 'type' | 'responder'>,
  model: string,
  { tools }: Settings,
): readonly string[] {
  if (!takesTools(spokenType(endpoint), model)) return [];
  if (endpoint.responder) return endpoint.responder.toolKeys;
  return Array.isArray(tools) ? tools.filter((key) => typeof key === 'string') : [];
}

/** The endpoint type whose protocol is used: for an assistant, that of the endpoint that answers for it. */
export function spokenType({ type, responder }: Pick<Endpoint, 'type' | 'responder'>): EndpointType {
  return responder?.type ?? type;
}

function instructionsOf({ context }: Endpoint, model: string, settings: Settings): string {
  const { promptPrefix } = settings;
  const prompt = typeof promptPrefix === 'string' ? [promptPrefix.trim()] : [];
  const own = context.instructions?.({ model, settings }) ?? [];
  return [...prompt, ...own].filter((text) => text.trim() !== '').join('\n');
}
