declare const orders: readonly { readonly id: string; readonly title: string }[];
declare const ids: readonly string[];
declare const status: HTMLElement;
declare const approveAll: (refs: readonly import('rowlock/core').EntityRef[]) => Promise<void>;
