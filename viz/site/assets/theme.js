// Run before anything is painted, so that a dark page never flashes white.
{
  const kept = () => {
    try {
      return localStorage.headlightTheme;
    } catch {
      return null; // a browser that keeps nothing for files
    }
  };
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = kept() ?? (dark ? "dark" : "light");
}
