import { said } from "../../components/javascript/address.js";

/**
 * Let the browser keep the pages of a site for visits without a network, by its `keeper`
 * (service_worker.js). Pages that are files, or parts of other pages, keep nothing. Resolves to whether
 * the browser has not refused.
 */
export async function keepPages({ keeper }) {
  const isWhole = window.top === window && said().get("embed") !== "1";
  if (!keeper || !isWhole || window.location.protocol === "file:") return true;
  try {
    await navigator.serviceWorker.register(keeper);
    await navigator.serviceWorker.ready;
  } catch {
    return false; // a private window, perhaps, or a host without https
  }
  document.body.dataset.pages = "kept";
  return true;
}
