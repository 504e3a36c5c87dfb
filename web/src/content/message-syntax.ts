import type { Extension } from 'micromark-util-types';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { addressesInEveryScript } from './emphasis/addresses-in-every-script.ts';
import { emphasisInEveryScript } from './emphasis/emphasis-in-every-script.ts';
import { tagNodes, tagSyntax } from './html/tag-syntax.ts';

/** What `this` is in a plugin: its data holds the extensions of the parser. */
interface Processor {
  data: () => object;
}

interface Syntax {
  micromarkExtensions?: Extension[];
  fromMarkdownExtensions?: unknown[];
}

let shared: Syntax | undefined;

/**
 * A remark plugin: the whole syntax of a message. Every block has a processor of its own; the extensions are made once,
 * for making them takes a good part of the time that a short block takes.
 */
export function messageSyntax(this: Processor): void {
  const data: Syntax = this.data();
  shared ??= makeSyntax(this);
  data.micromarkExtensions = shared.micromarkExtensions ?? [];
  data.fromMarkdownExtensions = shared.fromMarkdownExtensions ?? [];
}

function makeSyntax(processor: Processor): Syntax {
  const data: Syntax = processor.data();
  // A lone tilde means "about", and a lone dollar is money far more often than markup.
  remarkGfm.call(processor, { singleTilde: false });
  remarkMath.call(processor, { singleDollarTextMath: false });
  emphasisInEveryScript.call(processor);
  addressesInEveryScript.call(processor);
  const { micromarkExtensions = [], fromMarkdownExtensions = [] } = data;
  return {
    micromarkExtensions: [...micromarkExtensions, tagSyntax],
    fromMarkdownExtensions: [...fromMarkdownExtensions, tagNodes],
  };
}
