// Reads pages as the built-in tool does.
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { ASKED_ABOUT, askForPage } from '../../tools/web/ask-for-page.ts';
import { notePageRead } from '../../tools/web/opened-pages.ts';
import { readPage } from '../../tools/web/read-page.ts';
import { field, definePlugin } from '../define-plugin.ts';

export const webBrowser = definePlugin({
  key: 'web-browser',
  name: 'Browser',
  description: 'Opens a page of the web and quotes the passages that a question is about.',
  fields: [
    { ...field('OPENAI_API_KEY', 'OpenAI API key', 'Not needed: pages are read without it.'), isOptional: true },
  ],
  isForAssistants: false,
  tools: ({ egress, readPdf, chosen, config: { webPageHosts: hosts } }) => [
    {
      name: 'web-browser',
      description: `Opens a page or a PDF of the web and quotes the passages of it that a question is about. ${ASKED_ABOUT}`,
      parameters: argumentsSchema(
        {
          url: { type: 'string', description: 'The address of the page.', maxLength: 2000 },
          question: { type: 'string', description: 'What to look for; empty for a look at the page.', maxLength: 1000 },
        },
        ['url'],
      ),
      isRepeatable: true,
      asksAbout: askForPage(chosen, hosts),
      async run({ args, signal }) {
        const url = String(args.url);
        const question = String(args.question ?? '');
        const text = await readPage({ egress, readPdf }, { url, question, hosts, signal });
        notePageRead(chosen, url);
        return text;
      },
    },
  ],
});
