// Plugins that were only the OpenAPI document of a service, from the time of ChatGPT's plugin store. Existing clients
// know their keys; nearly all of the services have ended.
import type { End, ManifestPlugin } from './manifest-plugin.ts';

const ENDED: End = {
  text: 'The service behind this plugin is no longer offered.',
  why: { type: 'service_ended' },
};

const NAMES: readonly (readonly [key: string, name: string, description: string])[] = [
  ['Ai_PDF', 'Ai PDF', 'Answers questions about large PDF files, with the pages it quotes.'],
  ['BrowserOp', 'BrowserOp', 'Reads several pages of the web at once.'],
  ['Dr_Thoths_Tarot', 'Dr. Thoth’s Tarot', 'Draws tarot cards and tells their meaning.'],
  ['DreamInterpreter', 'Dream Interpreter', 'Interprets dreams.'],
  ['VoxScript', 'VoxScript', 'Searches transcripts of videos, financial data and the web.'],
  ['askyourpdf', 'AskYourPDF', 'Answers questions about a PDF file by its address.'],
  ['drink_maestro', 'Drink Maestro', 'Teaches how drinks are mixed.'],
  ['earthImagesAndVisualizations', 'Earth', 'Makes maps of a place, in several styles.'],
  ['image_prompt_enhancer', 'Image Prompt Enhancer', 'Turns ideas into detailed prompts for pictures.'],
  ['qrCodes', 'QR Codes', 'Makes QR codes.'],
  ['scholarai', 'ScholarAI', 'Searches and explains scientific papers.'],
  ['uberchord', 'Uberchord', 'Finds diagrams of guitar chords.'],
  ['web_search', 'Web Search', 'Searches the web.'],
];

export const OPEN_API_PLUGINS: readonly ManifestPlugin[] = NAMES.map(([key, name, description]) => ({
  key,
  name,
  description,
  fields: [],
  isForAssistants: false,
  isOpenApi: true,
  ...(key === 'web_search' ? { isBuiltin: true as const } : { ended: ENDED }),
}));
