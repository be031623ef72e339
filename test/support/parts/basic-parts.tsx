/** Buttons, fields, messages and what opens over a screen. */
import { IconPlus, IconTrash } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { CodeStep } from "../../../src/ui/account/sign-in/code-step.tsx";
import { EmailStep } from "../../../src/ui/account/sign-in/email-step.tsx";
import { useCodeSending } from "../../../src/ui/account/sign-in/use-code-sending.ts";
import { Badge } from "../../../src/ui/parts/badge.tsx";
import { Button } from "../../../src/ui/parts/button.tsx";
import { Dialog } from "../../../src/ui/parts/dialog.tsx";
import { EmptyState } from "../../../src/ui/parts/empty-state.tsx";
import { ErrorBoundary } from "../../../src/ui/parts/error-screen.tsx";
import { Field } from "../../../src/ui/parts/field.tsx";
import { HelpDialog } from "../../../src/ui/parts/help-dialog.tsx";
import { LoadError } from "../../../src/ui/parts/lazy.ts";
import { Menu } from "../../../src/ui/parts/menu.tsx";
import { Select } from "../../../src/ui/parts/select.tsx";
import { showToast } from "../../../src/ui/parts/toasts.tsx";
import type { Part } from "./part.ts";

const Row = ({ isSmall = false, disabled = false }: { readonly isSmall?: boolean; readonly disabled?: boolean }) => (
  <div class="row" style={{ display: "flex", flexWrap: "wrap", gap: "8px" }}>
    <Button {...{ isSmall, disabled }}>Plain</Button>
    <Button tone="primary" {...{ isSmall, disabled }}>
      Primary
    </Button>
    <Button tone="danger" {...{ isSmall, disabled }}>
      Danger
    </Button>
    <Button tone="ghost" {...{ isSmall, disabled }}>
      Ghost
    </Button>
    <Button icon={IconPlus} {...{ isSmall, disabled }}>
      With an icon
    </Button>
    <Button icon={IconTrash} label="Only an icon" {...{ isSmall, disabled }} />
    <Button aria-pressed={true} tone="ghost" {...{ isSmall, disabled }}>
      Pressed
    </Button>
    <Button aria-disabled={true} tone="primary" {...{ isSmall, disabled }}>
      Not yet
    </Button>
  </div>
);

/** Opens on a press: over a screen there can be one at a time. */
const Opened = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (close: () => void) => preact.ComponentChildren;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
};

const TEXT = "What is below it stays as it is, until this is closed.";

const SignIn = ({ isSent }: { readonly isSent: boolean }) => {
  const sending = useCodeSending();
  return isSent ? (
    <CodeStep email="ada@example.com" sending={sending} onBack={() => {}} />
  ) : (
    <EmailStep email="" sending={sending} onSent={() => {}} />
  );
};

const Broken = ({ error }: { readonly error: Error }): never => {
  throw error;
};

export const BASIC_PARTS: readonly Part[] = [
  { name: "Buttons", states: { usual: () => <Row />, small: () => <Row isSmall />, disabled: () => <Row disabled /> } },
  {
    name: "Badges",
    states: {
      all: () => (
        <>
          <Badge>XNAS</Badge> <Badge tone="hit">Buy target reached</Badge> <Badge tone="warn">Not added</Badge>{" "}
          <Badge tone="bad">Problem</Badge> <Badge tone="outline">added by agent</Badge>
        </>
      ),
    },
  },
  {
    name: "Fields",
    states: {
      plain: () => <Field label="Name">{(control) => <input {...control} class="input" value="Apple Inc." />}</Field>,
      hint: () => (
        <Field label="Exchange" hint="Market code, such as XNAS.">
          {(control) => <input {...control} class="input" />}
        </Field>
      ),
      problem: () => (
        <Field label="Quantity" hint="Leave it empty to watch the stock." problem="Use 0 or more.">
          {(control) => <input {...control} class="input" value="-5" />}
        </Field>
      ),
      "of several lines": () => (
        <Field label="Notes">{(control) => <textarea {...control} class="input" rows={3} value="One line" />}</Field>
      ),
      select: () => (
        <Select
          label="Currency"
          value="USD"
          options={[
            ["USD", "USD"],
            ["EUR", "EUR"],
          ]}
          onPick={() => {}}
        />
      ),
      switches: () => (
        <>
          <label class="check">
            <input type="checkbox" checked /> On the watchlist
          </label>
          <label class="check">
            <input type="checkbox" role="switch" aria-checked={false} /> Single-key shortcuts
          </label>
          <label class="switch">
            <input type="checkbox" role="switch" aria-checked={false} /> Tell me when a target is hit
          </label>
        </>
      ),
    },
  },
  {
    name: "Messages",
    states: {
      note: () => <p class="inline-banner">The server restarted. The agent picked up where it left off.</p>,
      warning: () => <p class="inline-banner warn">The connection was lost. The agent keeps working.</p>,
      failure: () => (
        <div class="inline-banner bad">
          <p>The model cannot be reached.</p>
          <Button isSmall>Try again</Button>
        </div>
      ),
      nothing: () => (
        <EmptyState title="Your watchlist is empty" actions={<Button>Add stock</Button>}>
          Star a stock to watch it here.
        </EmptyState>
      ),
      loading: () => <div class="skeleton" role="status" aria-label="Loading" style={{ height: "48px" }} />,
      "a part that threw": () => (
        <ErrorBoundary>
          <Broken error={new Error("A part threw, on purpose.")} />
        </ErrorBoundary>
      ),
      "a part that did not load": () => (
        <ErrorBoundary>
          <Broken error={new LoadError("A part did not load, on purpose.")} />
        </ErrorBoundary>
      ),
    },
  },
  {
    name: "Over a screen",
    states: {
      menu: () => (
        <Menu label="Open a menu" face="Open a menu">
          <button type="button">Rename</button>
          <hr />
          <button type="button" class="danger">
            Delete
          </button>
          <p class="menu-note">$0.01 so far</p>
        </Menu>
      ),
      dialog: () => (
        <Opened label="Open a dialog">
          {(close) => (
            <Dialog
              title="Delete this chat?"
              size="narrow"
              onClose={close}
              footer={<Button tone="danger">Delete</Button>}
            >
              <p>{TEXT}</p>
            </Dialog>
          )}
        </Opened>
      ),
      "wide dialog": () => (
        <Opened label="Open a wide dialog">
          {(close) => (
            <Dialog
              title="Import stocks"
              size="wide"
              isTall
              onClose={close}
              footer={<Button tone="primary">Preview</Button>}
            >
              <p>{TEXT}</p>
            </Dialog>
          )}
        </Opened>
      ),
      sheet: () => (
        <Opened label="Open a sheet">
          {(close) => (
            <Dialog title="AAPL" side="sheet" onClose={close}>
              <p>{TEXT}</p>
            </Dialog>
          )}
        </Opened>
      ),
      keys: () => <Opened label="Open the keys">{(close) => <HelpDialog onClose={close} />}</Opened>,
      toasts: () => (
        <Button
          onClick={() => {
            showToast({ text: "AAPL deleted.", action: { label: "Undo", run: () => {} } });
            showToast({ text: "Nothing was changed. Check your connection and try again.", tone: "bad" });
          }}
        >
          Open toasts
        </Button>
      ),
    },
  },
  { name: "Sign-in", states: { address: () => <SignIn isSent={false} />, code: () => <SignIn isSent /> } },
];
