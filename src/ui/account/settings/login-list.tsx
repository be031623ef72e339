import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-preact";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import { readAgain } from "../../api/read-again.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { announce } from "../../parts/announcer.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useUnderWay } from "../../parts/task/use-under-way.ts";
import { explainFailure } from "../explain-failure.ts";
import { watchPress } from "../focus-heading.ts";
import { DEVICES_KEY } from "../notices/notice-requests.ts";
import { endLogin, endOtherLogins, type LoginView, readLogins } from "../sign-in/auth-requests.ts";
import { signOutEverywhere } from "../sign-out.ts";
import { useAccountProblem } from "../use-account-problem.ts";
import { describeBrowser } from "./describe-browser.ts";

/** The log-ins' key in the cache. */
export const LOGINS_KEY = ["log-ins"] as const;

/** The devices where the person is signed in, this one first, then the newest. Each can be signed out. */
export const LoginList = () => {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useAccountProblem();
  const query = useQuery({ queryKey: LOGINS_KEY, queryFn: ({ signal }) => readLogins(signal), staleTime: 0 });
  const underWay = useUnderWay();
  const runTask = (name: string, work: () => Promise<void>): Promise<void> =>
    underWay.run(name, async () => {
      setProblem(undefined);
      await work().catch((error: unknown) => setProblem(explainFailure(error)));
    });
  const end = (id: string, work: () => Promise<unknown>, done: string): Promise<void> =>
    runTask(id, async () => {
      const focusHeading = watchPress();
      await work();
      // Whoever is signed out gets no pushes any more either.
      await Promise.all([LOGINS_KEY, DEVICES_KEY].map((queryKey) => readAgain(client, queryKey)));
      announce(done);
      // The pressed button is gone.
      focusHeading(heading.current);
    });
  const trouble = problem ?? (query.error && explainFailure(query.error));
  return (
    <section class="account-part">
      <h3 ref={heading} tabIndex={-1}>
        Devices
      </h3>
      {query.isPending && <p class="muted">Loading…</p>}
      {query.data && (
        <ul class="logins">
          {sortLogins(query.data).map((login) => (
            <LoginItem
              key={login.id}
              login={login}
              isOwn={login.id === query.data.ownId}
              isBusy={underWay.has(login.id)}
              onEnd={() =>
                void end(
                  login.id,
                  () => endLogin(login.token),
                  `${describeBrowser(login.userAgent).words} is signed out.`,
                )
              }
            />
          ))}
        </ul>
      )}
      {trouble && (
        <p class="problem" role="alert">
          {trouble}
        </p>
      )}
      {query.data && query.data.logins.length > 1 && (
        <Button
          aria-disabled={underWay.has("others")}
          onClick={() => void end("others", endOtherLogins, "All other devices are signed out.")}
        >
          Sign out all other devices
        </Button>
      )}
      <Button aria-disabled={underWay.has("all")} onClick={() => void runTask("all", signOutEverywhere)}>
        Sign out everywhere
      </Button>
    </section>
  );
};

const sortLogins = ({ logins, ownId }: Awaited<ReturnType<typeof readLogins>>): readonly LoginView[] =>
  [...logins].sort(
    (a, b) => Number(b.id === ownId) - Number(a.id === ownId) || Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );

type LoginItemProps = {
  readonly login: LoginView;
  readonly isOwn: boolean;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
};

const LoginItem = ({ login, isOwn, isBusy, onEnd }: LoginItemProps) => {
  const { words, isPhone } = describeBrowser(login.userAgent);
  const DeviceIcon = isPhone ? IconDeviceMobile : IconDeviceDesktop;
  const { text, iso } = formatRelativeTime(login.createdAt, new Date(), WORDS_LOCALE);
  return (
    <li class="login">
      <DeviceIcon size={20} stroke={1.75} aria-hidden="true" />
      <div>
        {words}
        <p>
          Signed in{" "}
          <time dateTime={iso ?? undefined} title={iso ?? undefined}>
            {text}
          </time>
        </p>
      </div>
      {isOwn ? (
        <Badge>This device</Badge>
      ) : (
        <Button isSmall aria-label={`Sign out ${words}, signed in ${text}`} aria-disabled={isBusy} onClick={onEnd}>
          {isBusy ? "Signing out…" : "Sign out"}
        </Button>
      )}
    </li>
  );
};
