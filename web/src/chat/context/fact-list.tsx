import classes from './fact-list.module.css';

export interface Fact {
  name: string;
  value: string;
}

/** Names and values in two columns. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.list}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
