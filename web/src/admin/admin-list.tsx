// What the lists of the administration are made of.
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import pageClasses from '../layout/page/page.module.css';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './admin.module.css';

/** A part of a section, with its heading. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface ListRowProps {
  name: string;
  /** Of the name, for `RowButton`. */
  nameId?: string;
  about: string;
  children: ReactNode;
}

/** Who or what it is, and what can be done about it. */
export function ListRow({ name, nameId, about, children }: ListRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.person}>
        <bdi id={nameId} className={classes.name}>
          {name}
        </bdi>
        <bdi className={classes.muted}>{about}</bdi>
      </span>
      {children}
    </li>
  );
}

/** A button of a row, called by its label and what the row is of. */
export function RowButton({ nameId, ...button }: ButtonProps & { nameId: string }) {
  const id = useId();
  return <Button size="sm" id={id} aria-labelledby={`${id} ${nameId}`} {...button} />;
}

interface ReadProps<Data> {
  query: { data: Data | undefined; error: unknown };
  /** Rows that stand for it while it is read. */
  rows: number;
  children: (data: Data) => ReactNode;
}

/** What was read of the server, or why it was not. */
export function Read<Data>({ query: { data, error }, rows, children }: ReadProps<Data>) {
  const { t } = useTranslation();
  if (error) return <p className={pageClasses.note}>{describeError(error, t)}</p>;
  return data === undefined ? <SkeletonRows count={rows} /> : children(data);
}

/** As `Read`, of a whole section: what was read stays, and what was not can be read again. */
export function ReadSection<Data>({ query, rows, children }: ReadProps<Data> & { query: { refetch: () => unknown } }) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <SkeletonRows count={rows} />;
  return (
    <div className={pageClasses.notice} role="alert">
      <p className={pageClasses.note}>{describeError(query.error, t)}</p>
      <Button onClick={() => void query.refetch()}>{t('com_ui_retry')}</Button>
    </div>
  );
}

interface PagesProps {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Reads the next page of a list, where there is one. */
export function MoreButton({ pages: { hasNextPage, fetchNextPage } }: { pages: PagesProps }) {
  const { t } = useTranslation();
  if (!hasNextPage) return null;
  return (
    <div>
      <Button onClick={() => void fetchNextPage()}>{t('com_people_more')}</Button>
    </div>
  );
}
