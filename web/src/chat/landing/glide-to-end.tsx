import { Component, type RefObject } from 'react';

interface GlideProps {
  /** The field of the message box. */
  box: RefObject<HTMLTextAreaElement | null>;
  conversationId: string;
  /** Nothing is asked yet: the box stands in the middle. */
  isEmpty: boolean;
}

const GLIDE_MS = 180;

/** With the first question, the message box glides from the middle to the end. Another chat shows it there at once. */
export class GlideToEnd extends Component<GlideProps> {
  /** Where the box stands before React changes the page; no hook is called then. */
  override getSnapshotBeforeUpdate(before: GlideProps): number | null {
    const { box, conversationId, isEmpty } = this.props;
    const isFirst = before.isEmpty && !isEmpty && before.conversationId === conversationId;
    return isFirst ? (box.current?.form?.getBoundingClientRect().top ?? null) : null;
  }

  override componentDidUpdate(_props: GlideProps, _state: unknown, top: number | null): void {
    const element = this.props.box.current?.form;
    if (top === null || !element || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const way = top - element.getBoundingClientRect().top;
    if (way === 0) return;
    element.animate([{ transform: `translateY(${way}px)` }, { transform: 'none' }], {
      duration: GLIDE_MS,
      easing: 'ease-out',
    });
  }

  override render() {
    return null;
  }
}
