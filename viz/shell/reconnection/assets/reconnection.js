/* Streamlit marks the state of the connection on the page: notice there that it is back. */

let lost = false;
let observer = null;
let send = null;

function look(app) {
  const connected = app.dataset.testConnectionState === "CONNECTED";
  if (connected && lost) send("back", Date.now());
  lost = !connected;
}

export function render({ setTriggerValue }) {
  send = setTriggerValue;
  const app = document.querySelector("[data-testid='stApp']");
  if (observer || !app) return;
  observer = new MutationObserver(() => look(app));
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
}
