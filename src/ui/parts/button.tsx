import type { Icon } from "@tabler/icons-preact";
import type { JSX } from "preact";

type ButtonProps = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "icon"> & {
  readonly tone?: "primary" | "danger" | "ghost";
  readonly icon?: Icon | undefined;
  /** The name of a button that shows only its icon. */
  readonly label?: string;
  readonly isSmall?: boolean;
};

/** A button that never submits a form unless `type="submit"` says so. */
export const Button = ({ tone, icon: IconPart, label, isSmall, children, class: extra, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    class={["btn", tone, isSmall && "small", label && !children && "icon", extra].filter(Boolean).join(" ")}
    aria-label={label ?? rest["aria-label"]}
    title={children ? undefined : label}
  >
    {IconPart && <IconPart size={18} stroke={1.75} aria-hidden="true" />}
    {children}
  </button>
);
