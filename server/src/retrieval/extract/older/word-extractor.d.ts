// The part of the library that is used here; it comes without types.
declare module 'word-extractor' {
  interface Options {
    /** Whether typographic quotes and dashes become plain ones. */
    filterUnicode?: boolean;
  }

  interface HeaderOptions extends Options {
    /** Whether the text of footers follows. */
    includeFooters?: boolean;
  }

  interface WordDocument {
    getBody(options?: Options): string;
    getTextboxes(options?: Options): string;
    getFootnotes(options?: Options): string;
    getEndnotes(options?: Options): string;
    getHeaders(options?: HeaderOptions): string;
    getFooters(options?: Options): string;
    getAnnotations(options?: Options): string;
  }

  export default class WordExtractor {
    extract(file: Uint8Array): Promise<WordDocument>;
  }
}
