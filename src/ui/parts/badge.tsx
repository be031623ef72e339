/** A short mark beside a name. */
import type { ComponentChildren } from "preact";

/** `hit` for what asks for attention, `outline` for where something came from. */
type BadgeTone = "hit" | "warn" | "bad" | "outline";

/** A mark of one or two words. Never the only carrier of what its colour says. */
export const Badge = ({ tone, children }: { readonly tone?: BadgeTone; readonly children: ComponentChildren }) => (
  <span class={tone ? `badge ${tone}` : "badge"}>{children}</span>
);
