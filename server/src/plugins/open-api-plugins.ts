// Plugins that are only the OpenAPI document of a service, from the time of ChatGPT's plugin store. Existing clients
// know their keys; nearly all of the services have ended. Where the operator offers them, their operations are called
// as those of actions are (`actions/documents/document-source.ts`).
import type { End, ManifestPlugin } from './define-plugin.ts';

/** Where the operator does not say that they are to be tried. */
export const ENDED: End = {
  text: 'The service behind this plugin is no longer offered.',
  why: { type: 'service_ended' },
};

type Row = readonly [key: string, name: string, description: string, document: string];

const ROWS: readonly Row[] = [
  [
    'Ai_PDF',
    'Ai PDF',
    'Answers questions about large PDF files, with the pages it quotes.',
    'https://plugin-3c56b9d4c8a6465998395f28b6a445b2-jexkai4vea-uc.a.run.app/openapi.yaml',
  ],
  [
    'BrowserOp',
    'BrowserOp',
    'Reads several pages of the web at once.',
    'https://testplugin.feednews.com/.well-known/openapi.yaml',
  ],
  [
    'Dr_Thoths_Tarot',
    'Dr. Thoth’s Tarot',
    'Draws tarot cards and tells their meaning.',
    'https://dr-thoth-tarot.herokuapp.com/openapi.yaml',
  ],
  [
    'DreamInterpreter',
    'Dream Interpreter',
    'Interprets dreams.',
    'https://dreamplugin.bgnetmobile.com/.well-known/openapi.json',
  ],
  [
    'VoxScript',
    'VoxScript',
    'Searches transcripts of videos, financial data and the web.',
    'https://voxscript.awt.icu/swagger/v1/swagger.yaml',
  ],
  [
    'askyourpdf',
    'AskYourPDF',
    'Answers questions about a PDF file by its address.',
    'https://plugin.askyourpdf.com/.well-known/openapi.yaml',
  ],
  [
    'drink_maestro',
    'Drink Maestro',
    'Teaches how drinks are mixed.',
    'https://api.drinkmaestro.space/.well-known/openapi.yaml',
  ],
  [
    'earthImagesAndVisualizations',
    'Earth',
    'Makes maps of a place, in several styles.',
    'https://api.earth-plugin.com/openapi.yaml',
  ],
  [
    'image_prompt_enhancer',
    'Image Prompt Enhancer',
    'Turns ideas into detailed prompts for pictures.',
    'https://image-prompt-enhancer.gafo.tech/openapi.yaml',
  ],
  ['qrCodes', 'QR Codes', 'Makes QR codes.', 'https://chatgpt-qrcode-46d7d4ebefc8.herokuapp.com/openapi.yaml'],
  ['scholarai', 'ScholarAI', 'Searches and explains scientific papers.', 'https://scholar-ai.net/openapi.yaml'],
  [
    'uberchord',
    'Uberchord',
    'Finds diagrams of guitar chords.',
    'https://guitarchords.pluginboost.com/.well-known/openapi.yaml',
  ],
  ['web_search', 'Web Search', 'Searches the web.', 'https://websearch.plugsugar.com/api/openapi_yaml'],
];

export const OPEN_API_PLUGINS: readonly ManifestPlugin[] = ROWS.map(([key, name, description, document]) => ({
  key,
  name,
  description,
  fields: [],
  isForAssistants: false,
  document,
  ...(key === 'web_search' && { isBuiltin: true as const }),
}));
