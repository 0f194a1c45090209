/** The address of the icon of all pages, a red flag. It has no double quotes, so it can be an attribute as it is. */
export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  "<path d='M3 1h1.6v14H3z' fill='%23828b96'/><path d='M5 1.5h9l-2.4 3.6L14 8.7H5z' fill='%23c5221f'/></svg>";
