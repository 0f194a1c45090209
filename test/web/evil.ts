/** A text that runs scripts, in an element and in an attribute, if a page does not escape it. */
export const EVIL = `<script>alert(1)</script>"'><img src=x onerror="alert(2)">`;

/** What the HTML of a page contains if it did not escape `EVIL`. A script of the service is an address without text. */
export const EVIL_HTML = /<script(?! type="module" src="[\w/-]*\/assets\/[\w-]+\.js"><\/script>)|<img|onerror="/;
