const PAGES = "headlight-pages";

/**
 * Keep the pages of a site for visits without a network. Where there is one, everything comes from
 * there, so that nobody sees an old version. The files of models are left to the page, which keeps
 * them itself (client.js).
 * @param {ServiceWorkerGlobalScope} worker The worker's own scope.
 * @param {{ version: string, files: string[], models: string }} site What is kept at once, a `version`
 *   that changes with any file, and the folder of a model. Other pages are kept once they are opened.
 * @returns {void}
 */
export function servePages(worker, { version, files, models }) {
  const { scope } = worker.registration;
  const ours = `${PAGES} ${scope} `;
  const name = `${ours}${version}`;
  const first = new Set(files.map((file) => new URL(file, scope).href));
  worker.addEventListener("install", (event) => {
    event.waitUntil(keepFirst(name, [...first]).then(() => worker.skipWaiting()));
  });
  worker.addEventListener("activate", (event) => {
    event.waitUntil(forgetOthers(name, ours).then(() => worker.clients.claim()));
  });
  worker.addEventListener("fetch", (event) => {
    const { url, method } = event.request;
    const isOurs = method === "GET" && url.startsWith(scope) && !url.includes(`/${models}`);
    if (isOurs) event.respondWith(foundPage(name, event.request, first));
  });
}

async function keepFirst(name, addresses) {
  const store = await caches.open(name);
  await store.addAll(addresses.map((address) => new Request(address, { cache: "no-cache" })));
}

/** Remove the earlier versions of this site; other sites of the same host have other names. */
async function forgetOthers(name, ours) {
  const old = (await caches.keys()).filter((one) => one.startsWith(ours) && one !== name);
  await Promise.all(old.map((one) => caches.delete(one)));
}

/** Ask the network; give what was kept only where it does not answer. */
async function foundPage(name, request, first) {
  const address = request.url.split(/[?#]/)[0].replace(/\/$/, "/index.html");
  try {
    const response = await fetch(request);
    if (response.ok && !first.has(address)) await (await caches.open(name)).put(address, response.clone());
    return response;
  } catch {
    return (await caches.match(address, { cacheName: name })) ?? Response.error();
  }
}
