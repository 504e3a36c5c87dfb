// Puts the shelf, which programs of answers take their libraries from, beside the frame that runs them.
import type { Plugin } from 'vite';
import { buildShelf, type ShelfFiles } from './shelf/build-parts.ts';

export function artifactParts(): Plugin {
  let shelf: Promise<ShelfFiles> | undefined;
  const files = () => (shelf ??= buildShelf());
  return {
    name: 'artifact-parts',
    async generateBundle() {
      for (const [fileName, source] of await files()) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      server.middlewares.use('/artifact', (request, response, next) => {
        const [name = ''] = (request.url ?? '').split('?', 1);
        const path = `artifact${name}`;
        if (path !== 'artifact/shelf.js' && !path.startsWith('artifact/parts/')) return next();
        void files().then((all) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(all.get(path));
        });
      });
    },
  };
}
