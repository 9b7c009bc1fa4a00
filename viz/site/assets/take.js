const WAITING = new Map();

window.headlightTake = (name, data) => WAITING.get(name)?.(data);

/**
 * Run a script beside the page, and resolve to what it gives by this name: a page that is a file may
 * fetch nothing, but it may run scripts.
 */
export function take(file, name) {
  const script = document.createElement("script");
  const given = new Promise((done, fail) => {
    WAITING.set(name, done);
    script.src = file;
    script.addEventListener("error", () => fail(Object.assign(new Error(file), { file })));
    document.head.append(script);
  });
  return given.finally(() => {
    WAITING.delete(name);
    script.remove();
  });
}
