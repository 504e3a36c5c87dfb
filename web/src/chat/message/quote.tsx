import classes from './message.module.css';

/** Below the sentence of a failure: what the provider said itself. */
export function Quote({ text }: { text: string }) {
  return (
    <blockquote className={classes.quote} dir="auto">
      {text}
    </blockquote>
  );
}
