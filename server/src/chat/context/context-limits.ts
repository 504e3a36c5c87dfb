// The limits of a model's context window before any message is added.
import type { Settings } from '@parley/schema/catalog/params';
import { imageTokens } from '@parley/schema/catalog/image-tokens';
import { pdfRuleOf, type PdfRule } from '@parley/schema/catalog/pdf';
import { takesTools, type EndpointType } from '@parley/schema/catalog/endpoints';
import { takesImages } from '@parley/schema/catalog/vision';
import { whyNotTaken } from '@parley/schema/files/file-limits';
import { replyReserveOf, modelWindow } from '@parley/schema/catalog/windows';
import type { Endpoint } from '../../catalog/endpoint.ts';
import type { ModelMetadata } from '../../providers/model-metadata.ts';
import { namesOnly, type AttachmentRules } from './files/attachments.ts';
import type { StepRules } from './steps.ts';

export interface ContextLimits {
  /** Gives the context window in tokens. */
  window: number;
  /** Kept free for the reply, in tokens. */
  reserve: number;
  /** Holds the instructions sent with every question; empty when there are none. */
  instructions: string;
  /** Says whether a summary replaces what does not fit. */
  summarises: boolean;
  /** Says whether the protocol drops answers before the first question. */
  opensWithQuestion: boolean;
  /** Lists the keys of the tools that a reply may use. */
  toolKeys: readonly string[];
  /** Files that are no images are named, unless another view of them is set. */
  attachments: AttachmentRules;
}

/** Alone decides how much of a conversation a model is shown. */
export function contextLimitsOf(
  endpoint: Endpoint,
  model: string,
  settings: Settings,
  metadata: ModelMetadata,
): ContextLimits {
  const { type, files } = endpoint;
  const window = modelWindow(model, metadata.window);
  const toolKeys = toolKeysOf(endpoint, model, settings);
  const { imageDetail, resendFiles, resendImages } = settings;
  const detail = imageDetail === 'low' || imageDetail === 'high' ? imageDetail : 'auto';
  return {
    window,
    // Leave room for a question in a small window.
    reserve: Math.min(replyReserveOf(type, model, settings), Math.floor(window / 2)),
    instructions: instructionsOf(endpoint, model, settings),
    summarises: endpoint.summaries?.enabled ?? false,
    opensWithQuestion: endpoint.context.opensWithQuestion ?? false,
    toolKeys,
    attachments: {
      showsImages: takesImages(model),
      takes: (attached) => whyNotTaken(files, attached) === null,
      resends: resendFiles !== false,
      resendsImages: resendFiles !== false && resendImages !== false,
      detail,
      tokensOf: (image) => imageTokens(type, model, image, detail),
      files: namesOnly.files,
      // Calls of earlier replies are shown only with tools: some providers refuse them otherwise.
      steps: toolKeys.length > 0 ? endpointStepRules(endpoint, model) : null,
    },
  };
}

/** Limits how much of the window attached files may take: a quarter as text, and half of it as PDFs. */
export interface FileRules {
  /** Limits the tokens of the text of all attached files. */
  tokensMax: number;
  /** Limits the tokens of PDFs that are sent as files. */
  pdfTokensMax: number;
  /** Set where PDFs are sent as files, null where their text is. */
  pdf: PdfRule | null;
  /** The same for PDFs without text, which are sent to every model that reads their pages. */
  scans: PdfRule | null;
}

export function fileRules(
  { window }: Pick<ContextLimits, 'window'>,
  { endpoint, model }: { endpoint: Pick<Endpoint, 'type'>; model: string },
  { pdfAsFile }: Settings,
): FileRules {
  const scans = pdfRuleOf(endpoint.type, model);
  const pdf = pdfAsFile === true ? scans : null;
  return { tokensMax: Math.floor(window / 4), pdfTokensMax: Math.floor(window / 2), pdf, scans };
}

/** Says how calls are shown to this model. */
export function endpointStepRules(endpoint: Pick<Endpoint, 'type' | 'responder'>, model: string): StepRules {
  return { endpointType: spokenType(endpoint), model, showsImages: takesImages(model) };
}

/** Lists the keys of the tools that a reply may use: with an assistant, its own among them. */
export function toolKeysOf(
  endpoint: Pick<Endpoint, 'type' | 'responder'>,
  model: string,
  { tools }: Settings,
): readonly string[] {
  const chosen = Array.isArray(tools) ? tools.filter((key) => typeof key === 'string') : [];
  const keys = endpoint.responder?.toolKeys ?? chosen;
  return keys.length > 0 && takesTools(spokenType(endpoint), model) ? keys : [];
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
