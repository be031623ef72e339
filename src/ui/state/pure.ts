import { Component, type ComponentChild, type ComponentType } from "preact";

/** Makes a component that renders again only when one of its props changes. `part` must not use hooks or children. */
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
