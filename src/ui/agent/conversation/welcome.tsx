/** A thread before its first message. */
import { askedText } from "../ask-agent.ts";

const IDEAS = ["What do I own?", "Which targets are hit?", "Add 10 AAPL at 180", "What changed this week?"];

/** What can be asked, to start from. A press fills the composer and sends nothing. */
export const Welcome = () => (
  <div class="welcome">
    <h2>What shall we look at?</h2>
    <p>Ask about your stocks, or have them changed. The agent reads freely and asks before it changes anything.</p>
    <ul>
      {IDEAS.map((idea) => (
        <li key={idea}>
          <button type="button" class="btn small" onClick={() => askedText.set(idea)}>
            {idea}
          </button>
        </li>
      ))}
    </ul>
  </div>
);
