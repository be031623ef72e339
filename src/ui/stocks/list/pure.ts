/** Saves renders of components whose props say everything: rows, of which there are many. */
import { Component, type ComponentType, createElement } from "preact";

/** The same component, rendered again only when one of its props is another one. Give it no children. */
export const pure = <Props extends object>(part: ComponentType<Props>): ComponentType<Props> =>
  class Pure extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const old = new Map(Object.entries(this.props));
      return Object.entries(next).some(([name, value]) => value !== old.get(name));
    }
    override render() {
      return createElement(part, this.props);
    }
  };
