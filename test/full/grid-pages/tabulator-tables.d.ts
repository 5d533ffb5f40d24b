/** What is used of Tabulator, which brings no types of its own. */
declare module 'tabulator-tables' {
  export class TabulatorFull {
    constructor(element: HTMLElement, options: object);
    on(event: string, listener: () => void): void;
    scrollToRow(uid: string, position: string, ifVisible: boolean): Promise<void>;
    setSort(field: string, direction: 'asc' | 'desc'): void;
    setFilter(isShown: (record: never) => boolean): void;
    getRow(uid: string): { update(record: object): Promise<void> };
    getData(range: 'active'): readonly { readonly uid: string; readonly key: string }[];
  }
}
