import type { ReactNode } from 'react';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components, ExtraProps } from 'react-markdown';
import { CodeBlock } from './code-block.tsx';
import { Picture, SafeLink } from './links.tsx';
import classes from './markdown.module.css';
import { Maths } from './maths.tsx';
import { OpenBlock } from './open-block.ts';

/** What stands for an element of markdown where the browser's own is not enough. One object: it must not change. */
export const elements: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ node }) => <NestedCode node={node} />,
  code: ({ className, children }) => <InlineCode className={className}>{children}</InlineCode>,
  table: ({ children }) => <Table>{children}</Table>,
  input: ({ checked }) => <TaskBox checked={checked === true} />,
};

type Element = NonNullable<ExtraProps['node']>;

/** A code block inside a list or a quote; one that stands alone never gets here. */
function NestedCode({ node }: ExtraProps) {
  const open = use(OpenBlock);
  const code = node?.children[0];
  if (!node || code?.type !== 'element') return null;
  const cursor = node.properties.dataCursor !== undefined;
  return <CodeBlock code={textOf(code)} language={languageOf(code)} open={open && cursor} cursor={cursor} />;
}

function textOf(code: Element): string {
  const [text] = code.children;
  return text?.type === 'text' ? text.value.replace(/\n$/, '') : '';
}

function languageOf(code: Element): string {
  const names = [code.properties.className].flat().map(String);
  return names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
}

function InlineCode({ className, children }: { className?: string; children?: ReactNode }) {
  if (className?.includes('math-inline') && typeof children === 'string') return <Maths source={children} />;
  return <code dir="ltr">{children}</code>;
}

function Table({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.table} role="group" aria-label={t('com_content_table')} tabIndex={0} dir="auto">
      <table>{children}</table>
    </div>
  );
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
