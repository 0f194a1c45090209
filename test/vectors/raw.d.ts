// The text of a file. Vite and test/runtimes/matrix/matrix.mjs bundle it.
declare module '*?raw' {
  const text: string;
  export default text;
}
