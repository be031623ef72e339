/** An icon in a row: two plain elements, where those of the icon set are several components. A list draws dozens at once. */

/** Paths of Tabler's `star` and `dots-vertical`, on its grid of 24. */
export const STAR = "M12 17.75l-6.17 3.25 1.18-6.87-5-4.87 6.9-1 3.09-6.25 3.09 6.25 6.9 1-5 4.87 1.18 6.87z";
export const DOTS = "M12 5v.01M12 12v.01M12 19v.01";

/** Size and stroke are in `styles/stocks.css`. */
export const rowIcon = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);
