/** Saves renders of parts whose props say everything: rows, and what a search leaves as it is. */
import { Component, type ComponentChild, type ComponentType } from "preact";

/** A component of `part`, rendered again only when one of its props is another one. No hooks in it, and no children. */
export const pure = <Props extends object>(part: (props: Readonly<Props>) => ComponentChild): ComponentType<Props> =>
  class Pure extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      for (const name in next) if (next[name] !== this.props[name]) return true;
      return false;
    }
    override render() {
      return part(this.props);
    }
  };
