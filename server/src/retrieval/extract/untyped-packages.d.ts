// Modules that bring no types and are imported for what they do.
declare module 'core-js/actual/promise/with-resolvers.js';
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';

declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist';
}
