// What plugins do, in the reader's language.
import type { TFunction } from 'i18next';

/** By their keys, which are those of `server/src/plugins/manifest.ts`. */
const ABOUT = {
  traversaal_search: 'com_plugin_traversaal_about',
  google: 'com_plugin_google_about',
  wolfram: 'com_plugin_wolfram_about',
  e2b_code_interpreter: 'com_plugin_e2b_about',
  codesherpa_tools: 'com_plugin_codesherpa_about',
  'web-browser': 'com_plugin_browser_about',
  serpapi: 'com_plugin_serpapi_about',
  'dall-e': 'com_plugin_dalle2_about',
  dalle: 'com_plugin_dalle3_about',
  tavily_search_results_json: 'com_plugin_tavily_about',
  calculator: 'com_plugin_calculator_about',
  'stable-diffusion': 'com_plugin_stable_diffusion_about',
  zapier: 'com_plugin_zapier_about',
  'azure-ai-search': 'com_plugin_azure_search_about',
  CodeBrew: 'com_plugin_codebrew_about',
  Ai_PDF: 'com_plugin_ai_pdf_about',
  BrowserOp: 'com_plugin_browserop_about',
  Dr_Thoths_Tarot: 'com_plugin_tarot_about',
  DreamInterpreter: 'com_plugin_dreams_about',
  VoxScript: 'com_plugin_voxscript_about',
  askyourpdf: 'com_plugin_askyourpdf_about',
  drink_maestro: 'com_plugin_drinks_about',
  earthImagesAndVisualizations: 'com_plugin_earth_about',
  image_prompt_enhancer: 'com_plugin_prompts_about',
  qrCodes: 'com_plugin_qr_about',
  scholarai: 'com_plugin_scholarai_about',
  uberchord: 'com_plugin_uberchord_about',
  web_search: 'com_plugin_web_search_about',
} as const;

/** What a plugin does; the words of its maker for those of others. */
export function describePlugin({ key, description }: { key: string; description: string }, t: TFunction): string {
  return Object.hasOwn(ABOUT, key) ? t(ABOUT[key as keyof typeof ABOUT]) : description;
}
