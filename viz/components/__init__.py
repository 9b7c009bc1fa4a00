"""What is drawn in the browser on two pages or more, and how a component is built."""
