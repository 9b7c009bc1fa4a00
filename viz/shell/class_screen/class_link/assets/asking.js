import { writeQuery } from "../../../../components/javascript/address.js";

const AGAIN = 1500; // milliseconds before a server that failed to answer is asked again

function headers({ key, person }) {
  return key ? { "x-headlight-key": key } : { "x-headlight-person": person };
}

/**
 * Call `hear` with all news of the class until stopped; `gone` if there is no such class, and
 * `reached` with false while the server does not answer, or the device has no network.
 */
export function waitForNews(told, hear, gone, reached) {
  const stop = new AbortController();
  let seen = "";
  const listen = async () => {
    while (!stop.signal.aborted) {
      try {
        const query = writeQuery({ class: told().code, seen });
        const answer = await fetch(`./class?${query}`, {
          headers: headers(told()), cache: "no-store", signal: stop.signal,
        });
        if (answer.status === 404) return gone();
        if (!answer.ok) throw new Error(String(answer.status));
        const state = await answer.json();
        if (stop.signal.aborted) return;
        seen = state.seen;
        reached(true);
        hear(state);
      } catch {
        if (stop.signal.aborted) return;
        reached(false);
        seen = ""; // so that the next answer comes at once
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  };
  setTimeout(listen, 0);
  window.addEventListener("offline", () => reached(false), { signal: stop.signal });
  return () => stop.abort();
}

/** Tell the server where the teacher is; return the time of the class's move, 0 if there is none. */
export async function tellMove(told, link) {
  try {
    const answer = await fetch("./class", {
      method: "POST", headers: headers(told), body: JSON.stringify({ class: told.code, link }),
    });
    return answer.ok ? (await answer.json()).moved : 0;
  } catch {
    return 0;
  }
}
