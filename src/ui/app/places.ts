/** The app's main places, for the sidebar and the bottom bar. */
import { type Icon, IconMessage, IconTrendingUp } from "@tabler/icons-preact";

/** `isCurrent` tells whether a path belongs to the place. */
type Place = {
  readonly href: string;
  readonly label: string;
  readonly icon: Icon;
  readonly isCurrent: (path: string) => boolean;
};

export const PLACES: readonly Place[] = [
  { href: "/", label: "Chat", icon: IconMessage, isCurrent: (path) => path === "/" || path.startsWith("/t/") },
  { href: "/stocks", label: "Stocks", icon: IconTrendingUp, isCurrent: (path) => path === "/stocks" },
];
