/** A link to one of the app's places, with the number of target hits on it. */
import { useLocation } from "preact-iso/router";
import type { PLACES } from "./places.ts";
import { useTargetHits } from "./use-target-hits.ts";

/** Marked when the person is there. */
export const PlaceLink = ({ href, label, icon: Icon, isCurrent }: (typeof PLACES)[number]) => {
  const { path } = useLocation();
  const hits = useTargetHits();
  const count = href === "/stocks" ? hits : 0;
  return (
    <a class="place" href={href} aria-current={isCurrent(path) ? "page" : undefined}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span>{label}</span>
      {count > 0 && (
        <span class="badge hit" title="Targets reached">
          {count}
          <span class="vh"> targets reached</span>
        </span>
      )}
    </a>
  );
};
