// The pages of a PDF, drawn by the viewer of the same library: those near the screen, their text for selecting and
// searching, and their links.
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { EventBus, PDFViewer } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { pdfFolder, loadPdfJs } from './load-pdf.ts';

export interface ViewerEvents {
  onPage: (number: number) => void;
  /** 1 is the size of the paper. */
  onScale: (scale: number) => void;
  onFound: (found: { at: number; of: number }) => void;
  /** The text of a page is on screen, in this element. */
  onText: (page: number, element: HTMLElement) => void;
  describePage: (number: number) => string;
}

export interface Viewer {
  show: (document: PDFDocumentProxy, page: number) => void;
  goTo: (page: number) => void;
  zoom: (steps: 1 | -1) => void;
  fitWidth: () => void;
  /** An empty text ends the search. */
  find: (text: string, step: 'first' | 'next' | 'previous') => void;
  /** The width of the frame has changed. */
  resize: () => void;
  destroy: () => void;
}

const FIT = 'page-width';

/** @param frame scrolls; its only child gets the pages */
export async function createViewer(frame: HTMLDivElement, events: ViewerEvents): Promise<Viewer> {
  // The viewer takes the library from the page, so that it comes first.
  const pdf = await loadPdfJs();
  const { EventBus, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } =
    await import('pdfjs-dist/legacy/web/pdf_viewer.mjs');
  const ending = new AbortController();
  const bus = new EventBus();
  const links = new PDFLinkService({
    eventBus: bus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
  });
  const finder = new PDFFindController({ eventBus: bus, linkService: links });
  // A variable, because the library's types leave the signal out.
  const options = {
    container: frame,
    eventBus: bus,
    linkService: links,
    findController: finder,
    annotationMode: pdf.AnnotationMode.ENABLE,
    imageResourcesPath: `${pdfFolder(pdf)}images/`,
    enableAutoLinking: false,
    abortSignal: ending.signal,
  };
  const viewer = new PDFViewer(options);
  links.setViewer(viewer);
  listen(bus, viewer, events);

  return {
    show(document, page) {
      bus.on('pagesinit', () => {
        viewer.currentScaleValue = FIT;
        if (page > 1) viewer.currentPageNumber = Math.min(page, document.numPages);
      });
      viewer.setDocument(document);
      links.setDocument(document);
    },
    goTo: (page) => void (viewer.currentPageNumber = page),
    zoom: (steps) => viewer.updateScale({ steps }),
    fitWidth: () => void (viewer.currentScaleValue = FIT),
    find(text, step) {
      if (text === '') return void bus.dispatch('findbarclose', {});
      bus.dispatch('find', {
        type: step === 'first' ? '' : 'again',
        query: text,
        caseSensitive: false,
        entireWord: false,
        highlightAll: true,
        findPrevious: step === 'previous',
        matchDiacritics: false,
      });
    },
    resize() {
      if (viewer.currentScaleValue === FIT) viewer.currentScaleValue = FIT;
    },
    destroy() {
      ending.abort();
      viewer.cleanup();
    },
  };
}

function listen(bus: EventBus, viewer: PDFViewer, events: ViewerEvents): void {
  const count = ({ matchesCount: { current, total } }: { matchesCount: { current: number; total: number } }) =>
    events.onFound({ at: current, of: total });
  bus.on('updatefindmatchescount', count);
  bus.on('updatefindcontrolstate', count);
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => events.onPage(pageNumber));
  bus.on('scalechanging', ({ scale }: { scale: number }) => events.onScale(scale));
  bus.on('pagerendered', ({ pageNumber }: { pageNumber: number }) => {
    const { div } = viewer.getPageView(pageNumber - 1);
    // In the language of the page, where the library knows English.
    div.removeAttribute('data-l10n-id');
    div.setAttribute('aria-label', events.describePage(pageNumber));
  });
  bus.on('textlayerrendered', ({ pageNumber }: { pageNumber: number }) => {
    const { div } = viewer.getPageView(pageNumber - 1).textLayer ?? {};
    if (div) events.onText(pageNumber, div);
  });
}
