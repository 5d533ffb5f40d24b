/** Vite gives the text of a style sheet, and puts nothing on the page. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
/** Vite gives the text of the file. */
declare module '*?raw' {
  const text: string;
  export default text;
}
