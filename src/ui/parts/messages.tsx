/** Toasts and announcements, in an element of their own (`index.html`), which a modal dialog takes in: see `placeMessages`. */
import { render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Announcer } from "./announcer.tsx";
import { Toasts } from "./toasts.tsx";

export const Messages = () => {
  useLayoutEffect(() => {
    const host = document.getElementById("messages");
    if (!host) return undefined;
    render(
      <>
        <Toasts />
        <Announcer />
      </>,
      host,
    );
    return () => render(null, host);
  }, []);
  return null;
};
