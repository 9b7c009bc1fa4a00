"""Components that two pages or more draw in the browser, and how a component is built."""
