import type { ComponentChildren } from "preact";

/** `hit` asks for attention, `outline` says where something came from. */
type BadgeTone = "hit" | "warn" | "bad" | "outline";

/** A mark of one or two words. Its words say what its colour says. */
export const Badge = ({ tone, children }: { readonly tone?: BadgeTone; readonly children: ComponentChildren }) => (
  <span class={tone ? `badge ${tone}` : "badge"}>{children}</span>
);
