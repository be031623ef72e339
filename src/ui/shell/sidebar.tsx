/** The sidebar of wide windows: brand, places, account. */
import { AccountMenu } from "./account-menu.tsx";
import { PlaceLink } from "./place-link.tsx";
import { PLACES } from "./places.ts";

/** Icons alone where the window is not wide. */
export const Sidebar = () => (
  <header class="sidebar">
    <div class="brand">
      <img src="/icon.svg" alt="" width="22" height="22" />
      <b>Tally</b>
    </div>
    <nav aria-label="Main">
      <ul>
        {PLACES.map((place) => (
          <li key={place.href}>
            <PlaceLink {...place} />
          </li>
        ))}
      </ul>
    </nav>
    <div class="account">
      <AccountMenu />
    </div>
  </header>
);
