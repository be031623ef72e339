/** The bar at the bottom of a phone: the places, adding a stock, and the account, within reach of a thumb. */
import { IconPlus } from "@tabler/icons-preact";
import { placeUrl, START_PLACE } from "../navigation/stocks-place.ts";
import { useStocksPlace } from "../navigation/use-stocks-place.ts";
import { AccountMenu } from "./account-menu.tsx";
import { PlaceLink } from "./place-link.tsx";
import { PLACES } from "./places.ts";

/** Shown under 768 px. */
export const BottomBar = () => {
  const { go } = useStocksPlace();
  return (
    <nav class="bottom-bar" aria-label="Main">
      <ul>
        {PLACES.map((place) => (
          <li key={place.href}>
            <PlaceLink {...place} />
          </li>
        ))}
        <li>
          <a
            class="place"
            href={placeUrl({ ...START_PLACE, dialog: "add" })}
            onClick={(event) => {
              // The router would go to the address as it is, and lose tab, search and filters below the dialog.
              event.preventDefault();
              event.stopPropagation();
              go({ dialog: "add" });
            }}
          >
            <IconPlus size={20} stroke={1.75} aria-hidden="true" />
            <span>Add</span>
          </a>
        </li>
        <li>
          <AccountMenu isTab />
        </li>
      </ul>
    </nav>
  );
};
