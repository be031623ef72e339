/** Replaces the app until somebody signs in. The address stays, so that they then are where they wanted to be. */
import { useEffect, useState } from "preact/hooks";
import { Announcer, announce } from "../../parts/announcer.tsx";
import { ScreenTitle } from "../../parts/screen-title.tsx";
import { shownPerson } from "../person.ts";
import { CodeStep } from "./code-step.tsx";
import { EmailStep } from "./email-step.tsx";
import { forgetSentCode, readSentCode } from "./sent-code.ts";
import { useCodeSending } from "./use-code-sending.ts";

/** The address first, then the code that was sent to it. */
export const SignInScreen = () => {
  const [sent] = useState(readSentCode);
  const [email, setEmail] = useState(sent?.email ?? "");
  const [isSent, setSent] = useState(sent !== undefined);
  const sending = useCodeSending();
  // This includes that they have signed in in another tab.
  useEffect(() => forgetSentCode, []);
  const isBack = shownPerson() !== undefined;
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <img src="/icon.svg" alt="" width="44" height="44" />
        <ScreenTitle title={isSent ? "Enter the code" : "Sign in to Tally"} />
        {isSent ? (
          <CodeStep
            email={email}
            sending={sending}
            onBack={() => {
              sending.setProblem(undefined);
              forgetSentCode();
              setSent(false);
            }}
          />
        ) : (
          <>
            <p class="muted">
              {isBack
                ? "You have been signed out. Sign in to pick up where you left off."
                : "Your stocks, and an agent that works on them and asks before it changes anything."}
            </p>
            <EmailStep
              email={email}
              sending={sending}
              onSent={(sentTo) => {
                setEmail(sentTo);
                setSent(true);
                announce(`A 6-digit code was sent to ${sentTo}.`);
              }}
            />
          </>
        )}
      </div>
      <Announcer />
    </main>
  );
};
