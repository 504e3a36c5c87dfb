import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './program-keys.module.css';

const DOCUMENT = '/v1/openapi.json';
/** The paths that older clients know, of which some open to keys. */
const REST_DOCUMENT = '/api/openapi.json';

interface ApiDocument {
  paths: Record<string, Record<string, { summary?: string }>>;
}

/** What programs may call, as the server's document says; read when it is opened. */
export function ProgramPaths() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={classes.paths} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('com_program_paths')}</summary>
      <p className={classes.hint}>{t('com_program_paths_hint')}</p>
      {isOpen && <Paths />}
      {[DOCUMENT, REST_DOCUMENT].map((path) => (
        <p key={path}>
          <a href={path} target="_blank" rel="noreferrer">
            {t('com_program_paths_document')} <code dir="ltr">{path}</code>
          </a>
        </p>
      ))}
    </details>
  );
}

function Paths() {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ['program paths'], queryFn: readDocument, staleTime: Infinity });
  if (error) return <p className={classes.hint}>{t('com_program_paths_failed')}</p>;
  const rows = Object.entries(data?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '' }]) => ({ path, method: method.toUpperCase(), summary })),
  );
  return (
    <dl className={classes.pathList} lang="en" dir="ltr">
      {rows.map(({ path, method, summary }) => (
        <div key={`${method} ${path}`}>
          <dt>
            <code>
              {method} {path}
            </code>
          </dt>
          <dd>{summary}</dd>
        </div>
      ))}
    </dl>
  );
}

async function readDocument(): Promise<ApiDocument> {
  const response = await fetch(DOCUMENT);
  if (!response.ok) throw new Error('The document of /v1 cannot be read');
  return (await response.json()) as ApiDocument;
}
