/** A link to one of the app's places, with what waits for the person there. */
import { useLocation } from "preact-iso/router";
import { askingThreads } from "../agent/agent-attention.ts";
import { useStore } from "../state/use-store.ts";
import type { PLACES } from "./places.ts";
import { useTargetHits } from "./use-target-hits.ts";

/** Marked when the person is there. The chat's leads to the thread whose question is open. */
export const PlaceLink = ({ href, label, icon: Icon, isCurrent }: (typeof PLACES)[number]) => {
  const { path } = useLocation();
  const hits = useTargetHits();
  const asking = useStore(askingThreads);
  const isChat = href === "/";
  return (
    <a
      class="place"
      href={isChat && asking[0] !== undefined ? `/t/${encodeURIComponent(asking[0])}` : href}
      aria-current={isCurrent(path) ? "page" : undefined}
    >
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span>{label}</span>
      {isChat ? (
        <Count count={asking.length} what="open questions" tone="warn" />
      ) : (
        <Count count={hits} what="targets reached" tone="hit" />
      )}
    </a>
  );
};

type CountProps = { readonly count: number; readonly what: string; readonly tone: "hit" | "warn" };

const Count = ({ count, what, tone }: CountProps) =>
  count === 0 ? null : (
    <span class={`badge ${tone}`} title={what}>
      {count}
      <span class="vh"> {what}</span>
    </span>
  );
