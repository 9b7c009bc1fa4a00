// A link names its model as in the app, `?model=zh-en`, and each model has its pages in a folder. Run
// before anything is painted, so that nobody sees the page of another model.
{
  const { model, parameter, links } = document.currentScript.dataset;
  const pages = JSON.parse(links);
  const { search, hash, href } = window.location;
  const asked = new URLSearchParams(search).get(parameter);
  if (asked && asked !== model && Object.hasOwn(pages, asked)) {
    window.location.replace(new URL(pages[asked], href).href.split("?")[0] + search + hash);
  } else if (asked === null && model !== Object.keys(pages)[0]) {
    const more = `${search ? "&" : "?"}${parameter}=${encodeURIComponent(model)}`;
    window.history.replaceState(window.history.state, "", `${search}${more}${hash}`);
  }
}
