// What samples import and this repository does not have installed: as much of it as they use.
declare module '@angular/core' {
  export const CUSTOM_ELEMENTS_SCHEMA: unique symbol;
  export function Component(about: {
    readonly selector: string;
    readonly standalone?: boolean;
    readonly schemas: readonly (typeof CUSTOM_ELEMENTS_SCHEMA)[];
    readonly template: string;
  }): (target: abstract new () => object, context: ClassDecoratorContext) => void;
  export const input: { required<Value>(): () => Value };
}
declare module '@lit/react' {
  export function createComponent(options: {
    readonly react: typeof import('react');
    readonly tagName: keyof HTMLElementTagNameMap;
    readonly elementClass: new () => HTMLElement;
    readonly events?: Readonly<Record<string, keyof GlobalEventHandlersEventMap>>;
  }): object;
}
