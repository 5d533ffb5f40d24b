/** What is used of Tabulator, which brings no types of its own. */
declare module 'tabulator-tables' {
  export class TabulatorFull {
    constructor(element: HTMLElement, options: object);
    on(event: 'tableBuilt', listener: () => void): void;
    destroy(): void;
  }
}
