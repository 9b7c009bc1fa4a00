/*
 * A proxy may pass on pages, but not the websocket through which Streamlit draws them: the page would
 * stay empty. Streamlit marks on the page what it tries. It connects only after the server has
 * answered over HTTP, so connecting in vain tells of such a proxy.
 */
{
  const MOST = 2; // attempts in vain
  const said = document.getElementById("no-connection");
  let before = "";
  let failed = 0;
  const look = () => {
    const now = document.querySelector("[data-testid='stApp']")?.dataset.testConnectionState ?? "";
    if (before === "CONNECTING" && now !== "CONNECTING" && now !== "CONNECTED") failed += 1;
    before = now;
    said.hidden = failed < MOST;
    if (now === "CONNECTED") {
      observer.disconnect();
      said.remove();
    }
  };
  const observer = new MutationObserver(look);
  const what = { subtree: true, childList: true, attributeFilter: ["data-test-connection-state"] };
  observer.observe(document.body, what);
}
