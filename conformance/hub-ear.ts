import {
  HubConnectionBuilder,
  LogLevel,
  type HttpTransportType,
  type HubConnection,
} from '@microsoft/signalr';
import { ENTITY_CHANGED, SUBSCRIBE, UNSUBSCRIBE, type EntityChange } from '../core/index.ts';
import { Mismatch } from './mismatch.ts';

/** Longer than a busy backend takes, in milliseconds. */
const HEARD_WITHIN_MS = 10_000;

export interface HubEarOptions {
  readonly hub: string;
  readonly token: string | null;
  readonly transport: HttpTransportType | undefined;
  readonly heardWithinMs: number | undefined;
}

/** One connection to the hub under test, made by Microsoft's own client. */
export class HubEar {
  readonly #connection: HubConnection;
  readonly #heard: EntityChange[] = [];
  readonly #heardWithinMs: number;
  #wake = (): void => {};

  private constructor(connection: HubConnection, heardWithinMs: number) {
    this.#connection = connection;
    this.#heardWithinMs = heardWithinMs;
    connection.on(ENTITY_CHANGED, (change: EntityChange) => {
      this.#heard.push(change);
      this.#wake();
    });
  }

  /** Rejects where the hub does not let the caller in. */
  static async open({ hub, token, transport, heardWithinMs }: HubEarOptions): Promise<HubEar> {
    const connection = new HubConnectionBuilder()
      .withUrl(hub, {
        ...(transport === undefined ? {} : { transport }),
        ...(token === null ? {} : { accessTokenFactory: () => token }),
      })
      .configureLogging(LogLevel.None)
      .build();
    const ear = new HubEar(connection, heardWithinMs ?? HEARD_WITHIN_MS);
    await connection.start();
    return ear;
  }

  get heard(): readonly EntityChange[] {
    return this.#heard;
  }

  subscribe(types: readonly string[]): Promise<unknown> {
    return this.#connection.invoke(SUBSCRIBE, types);
  }

  unsubscribe(types: readonly string[]): Promise<unknown> {
    return this.#connection.invoke(UNSUBSCRIBE, types);
  }

  invoke(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#connection.invoke(method, ...args);
  }

  /** The first change of a record with that operation, heard already or still to come. */
  async hear(entityUid: string, operation: string): Promise<EntityChange> {
    const deadline = performance.now() + this.#heardWithinMs;
    while (true) {
      const found = this.#heard.find(
        (change) => change.entityUid === entityUid && change.operation === operation,
      );
      if (found !== undefined) return found;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Mismatch(`expected ${operation} of ${entityUid} to be heard on the hub`);
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, leftMs);
      });
      clearTimeout(timer);
    }
  }

  stop(): Promise<void> {
    return this.#connection.stop();
  }
}
