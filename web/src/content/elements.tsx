import type { ReactNode } from 'react';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components, ExtraProps } from 'react-markdown';
import { Fence } from './code/code-block.tsx';
import { Folded } from './html/folded.tsx';
import { MarkdownImage, SafeLink } from './links.tsx';
import { CitationMark } from './citation-marks/citation-mark.tsx';
import { MathFormula } from './math/math-formula.tsx';
import { OpenBlockContext } from './open-block.ts';
import { Table } from './table/table.tsx';

/** The components for markdown elements. One constant object: its identity must not change. */
export const elements: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <MarkdownImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ node }) => <NestedCode node={node} />,
  code: ({ className, children }) => <InlineCode className={className}>{children}</InlineCode>,
  cite: ({ node, children }) => <CitationMark index={Number(node?.properties.dataMark)}>{children}</CitationMark>,
  details: ({ open, children }) => <Folded isOpen={open === true}>{children}</Folded>,
  table: ({ children }) => <Table>{children}</Table>,
  input: ({ checked }) => <TaskBox checked={checked === true} />,
};

type Element = NonNullable<ExtraProps['node']>;

/** A code block inside a list or a quote; top-level ones are handled elsewhere. */
function NestedCode({ node }: ExtraProps) {
  const open = use(OpenBlockContext);
  const code = node?.children[0];
  if (!node || code?.type !== 'element') return null;
  const cursor = node.properties.dataCursor !== undefined;
  return <Fence code={textOf(code)} language={languageOf(code)} open={open && cursor} cursor={cursor} />;
}

function textOf(code: Element): string {
  const [text] = code.children;
  return text?.type === 'text' ? text.value.replace(/\n$/, '') : '';
}

function languageOf(code: Element): string {
  const names = [code.properties.className].flat().map(String);
  return names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
}

function InlineCode({ className, children }: { className: string | undefined; children?: ReactNode }) {
  if (className?.includes('math-inline') && typeof children === 'string') return <MathFormula source={children} />;
  return <code dir="ltr">{children}</code>;
}

function TaskBox({ checked }: { checked: boolean }) {
  const { t } = useTranslation();
  return (
    <input
      type="checkbox"
      checked={checked}
      disabled
      aria-label={t(checked ? 'com_content_done' : 'com_content_not_done')}
    />
  );
}
