import type { LockRegistry } from '../core/index.ts';

/** What Express keeps of one `use()` or route: its own, so read with care. */
interface Layer {
  readonly handle?: unknown;
  readonly method?: unknown;
  readonly route?: { readonly path?: unknown; readonly stack?: unknown };
}

const WRITING_METHODS = ['post', 'put', 'patch', 'delete'];

/** Keeps note of which types and which routes have enforcement before them, for whoever develops the application. */
export class GuardedRoutes {
  readonly #registry: LockRegistry;
  readonly #types = new Set<string>();
  readonly #handlers = new WeakSet();
  #isGeneric = false;

  constructor(registry: LockRegistry) {
    this.#registry = registry;
  }

  /** `entityType` null = a generic route, whose type each request says. */
  add(handler: object, entityType: string | null): void {
    this.#handlers.add(handler);
    if (entityType === null) this.#isGeneric = true;
    else this.checked(entityType);
  }

  /** A write of this type was checked without a route. */
  checked(entityType: string): void {
    this.#types.add(entityType);
  }

  /** Registered types for which no guard was made and no write was checked so far. */
  unguardedTypes(): readonly string[] {
    return this.#isGeneric ? [] : this.#registry.entityTypes.filter((type) => !this.#types.has(type));
  }

  /**
   * The routes of an Express 5 application that write (POST, PUT, PATCH, DELETE) with no guard before their
   * handlers: `"POST /login"`, each once. `…` stands for where a router is mounted: Express does not keep that.
   */
  unguardedRoutes(app: object): readonly string[] {
    const router: unknown = 'router' in app ? app.router : app;
    return [...new Set(this.#walk(stackOf(router), '', false))];
  }

  #walk(layers: readonly Layer[], at: string, isGuarded: boolean): string[] {
    const found: string[] = [];
    let guardedHere = isGuarded;
    for (const { handle, route } of layers) {
      if (this.#isGuard(handle)) guardedHere = true;
      else if (route !== undefined) {
        const paths = [route.path].flat().map((path) => `${at}${String(path)}`);
        const methods = guardedHere ? [] : this.#unguardedMethods(stackOf(route));
        for (const method of methods) found.push(...paths.map((path) => `${method} ${path}`));
      } else found.push(...this.#walk(stackOf(handle), '…', guardedHere));
    }
    return found;
  }

  /** Those whose last handler, which writes, has no guard before it. A layer without a method is for all. */
  #unguardedMethods(layers: readonly Layer[]): readonly string[] {
    return WRITING_METHODS.filter((name) => {
      const handlers = layers.filter(({ method }) => method === undefined || method === name);
      const guard = handlers.findIndex(({ handle }) => this.#isGuard(handle));
      const writes = handlers.some(({ handle }) => !this.#isGuard(handle));
      return writes && (guard < 0 || guard === handlers.length - 1);
    }).map((name) => name.toUpperCase());
  }

  #isGuard(handle: unknown): boolean {
    return typeof handle === 'function' && this.#handlers.has(handle);
  }
}

function stackOf(owner: unknown): readonly Layer[] {
  const isOwner = (typeof owner === 'object' || typeof owner === 'function') && owner !== null;
  const stack: unknown = isOwner && 'stack' in owner ? owner.stack : undefined;
  return Array.isArray(stack) ? (stack as Layer[]) : [];
}
