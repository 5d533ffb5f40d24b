import type { Timers } from '../timers.ts';
import { ClientResults } from './client-results.ts';
import { callController, type CallController, type CallSignal } from './call-signal.ts';
import type { HubConnection } from './hub-connection.ts';
import type { HubLimits } from './hub-limits.ts';
import type {
  CompletionMessage,
  HubMessage,
  InvocationMessage,
  StreamInvocationMessage,
} from './hub-message.ts';
import type { CallableMethod, HubCall } from './hub-method.ts';
import { InvalidHubMessage } from './invalid-hub-message.ts';
import { invocationError, refusedCall } from './invocation-error.ts';
import { ServerStreams } from './server-streams.ts';
import { UploadStreams } from './upload-streams.ts';

export interface ConnectionCallsOptions {
  readonly connection: HubConnection;
  readonly methods: ReadonlyMap<string, CallableMethod>;
  readonly limits: HubLimits;
  readonly timers: Timers;
  /** Calls wait until then: the application has placed the connection in its groups. */
  readonly ready: Promise<void>;
  /** Sends to this client, and answers how long the message is written. Throws where a payload cannot be written. */
  readonly send: (message: HubMessage) => number;
  /** Whether the client is to be read on: not while it is ahead of what its calls can take. */
  readonly setReading: (isReading: boolean) => void;
  readonly drained: () => Promise<void>;
  /** For the operator: a method failed with something that is not meant for its caller. */
  readonly failed: (target: string, error: unknown) => void;
}

/** While a method waits for its client, and beside streams, calls are read on; so many times `maxOpenCalls` end the connection. */
const HARD_LIMIT_FACTOR = 10;

type Call = InvocationMessage | StreamInvocationMessage;

/**
 * What one client asks for: calls, one at a time in their order; streams, beside them; uploads and client results. A
 * call that nobody waits for is never answered, also not with an error.
 */
export class ConnectionCalls {
  readonly results: ClientResults;
  readonly #options: ConnectionCallsOptions;
  readonly #streams: ServerStreams;
  readonly #uploads: UploadStreams;
  /** Made when somebody asks for it: most calls do not. */
  #goneSignal: CallController | null = null;
  #isGone = false;
  #queue: Promise<void>;
  #open = 0;
  /** Of those that are open. */
  #begunStreams = 0;
  #isReading = true;

  constructor(options: ConnectionCallsOptions) {
    this.#options = options;
    const { limits, drained, send, failed, timers, ready } = options;
    this.#queue = ready;
    this.results = new ClientResults(timers, () => this.#updateReading());
    this.#uploads = new UploadStreams({
      maxItems: limits.maxUploadItems,
      onChange: () => this.#updateReading(),
    });
    this.#streams = new ServerStreams({
      // Clients refuse an item without a value.
      sendItem: (invocationId, item) => send({ type: 2, invocationId, item: item ?? null }),
      sendEnd: (invocationId, error) => {
        send({ type: 3, invocationId, ...(error === null ? {} : { error }) });
      },
      drained,
      failed: (error) => failed('a stream', error),
    });
  }

  /** Whether this is an item of an upload that is under way: those are slowed down, and count for no rate. */
  isUpload({ type, ...message }: HubMessage): boolean {
    return type === 2 && 'invocationId' in message && this.#uploads.has(message.invocationId ?? '');
  }

  /** Takes a message of the types 1 to 5. Throws `InvalidHubMessage` for a client that asks for too much at once. */
  receive(message: HubMessage): void {
    switch (message.type) {
      case 1:
      case 4:
        this.#call(message);
        break;
      case 2:
        this.#uploads.item(message.invocationId, message.item);
        break;
      case 3:
        this.#complete(message);
        break;
      case 5:
        this.#streams.cancel(message.invocationId);
        break;
      default:
        break; // pings and closes are the connection's own
    }
  }

  /** The client is gone. */
  stop(): void {
    this.#isGone = true;
    this.#goneSignal?.abort();
    this.#streams.cancelAll();
    this.#uploads.endAll();
    this.results.endAll();
  }

  #gone(): CallSignal {
    this.#goneSignal ??= callController();
    if (this.#isGone) this.#goneSignal.abort();
    return this.#goneSignal.signal;
  }

  #complete(message: CompletionMessage): void {
    if (this.#uploads.has(message.invocationId)) {
      this.#uploads.complete(message.invocationId, message.error ?? null);
    } else this.results.complete(message);
  }

  #call(message: Call): void {
    const most = HARD_LIMIT_FACTOR * this.#options.limits.maxOpenCalls;
    if (this.#open >= most) throw new InvalidHubMessage(`expected ${most} open calls at most`);
    if (message.type === 4 && this.#streams.has(message.invocationId)) {
      this.#refuse(message, refusedCall.idInUse(message.invocationId));
      return;
    }
    const streamIds = this.#expectedStreams(message);
    const taken = streamIds.find((id, at) => this.#uploads.has(id) || streamIds.indexOf(id) < at);
    if (taken !== undefined) {
      this.#refuse(message, refusedCall.streamIdInUse(taken));
      return;
    }
    // Kept from now on: items follow at once, and the call may have to wait for its turn.
    const uploads = streamIds.map((id) => this.#uploads.open(id));
    const isStream = message.type === 4;
    const ownSignal = isStream ? this.#streams.open(message.invocationId).signal : null;
    const goneSignal = () => this.#gone();
    const call: HubCall = {
      connection: this.#options.connection,
      uploads,
      get signal() {
        return ownSignal ?? goneSignal();
      },
    };
    this.#open += 1;
    this.#updateReading();
    const done = () => {
      this.#open -= 1;
      if (isStream) this.#begunStreams -= 1;
      streamIds.forEach((id, at) => this.#uploads.drop(id, uploads[at]));
      this.#updateReading();
    };
    this.#queue = this.#queue.then(async () => {
      if (this.#isGone) return;
      if (!isStream) {
        await this.#runCall(message, call).then(done);
        return;
      }
      void this.#runStream(message, call).then(done);
      this.#begunStreams += 1;
      this.#updateReading();
    });
  }

  /** None where there are more or fewer than the method says: that call is refused in its turn. */
  #expectedStreams({ target, streamIds = [] }: Call): readonly string[] {
    const method = this.#options.methods.get(target.toLowerCase());
    return method?.uploads === streamIds.length ? streamIds : [];
  }

  /**
   * Not while a method waits for this client's answer, which would never be read. Streams that have begun do not count:
   * their client must be heard to cancel them.
   */
  #updateReading(): void {
    const waiting = this.#open - this.#begunStreams;
    const isBusy = waiting >= this.#options.limits.maxOpenCalls && this.results.size === 0;
    const isReading = this.#isGone || !(isBusy || this.#uploads.isFull);
    if (isReading === this.#isReading) return;
    this.#isReading = isReading;
    this.#options.setReading(isReading);
  }

  async #runCall(message: Call, call: HubCall): Promise<void> {
    const { target, invocationId } = message;
    const method = this.#options.methods.get(target.toLowerCase());
    const refusal = this.#refusal(message, method);
    if (method === undefined || refusal !== null) {
      this.#refuse(message, refusal ?? refusedCall.unknownMethod(target));
      return;
    }
    try {
      const result = await method.run(call, ...message.arguments);
      if (invocationId !== undefined) this.#options.send({ type: 3, invocationId, result: result ?? null });
    } catch (error) {
      this.#options.failed(target, error);
      this.#refuse(message, invocationError(target, error));
    }
  }

  async #runStream(message: StreamInvocationMessage, call: HubCall): Promise<void> {
    const { target, invocationId } = message;
    const method = this.#options.methods.get(target.toLowerCase());
    const refusal = this.#refusal(message, method);
    if (method === undefined || refusal !== null) {
      this.#streams.end(invocationId, refusal ?? refusedCall.unknownMethod(target));
      return;
    }
    let items: unknown;
    try {
      items = await method.run(call, ...message.arguments);
    } catch (error) {
      this.#options.failed(target, error);
      this.#streams.end(invocationId, invocationError(target, error));
      return;
    }
    if (isAsyncIterable(items)) await this.#streams.run(invocationId, items);
    else this.#streams.end(invocationId, refusedCall.noIterable(target));
  }

  #refusal({ type, target, streamIds = [] }: Call, method: CallableMethod | undefined): string | null {
    if (method === undefined) return refusedCall.unknownMethod(target);
    try {
      const may: unknown = method.mayCall(this.#options.connection.principal);
      if (may !== true) return refusedCall.unauthorized(target); // a promise is no permission
    } catch (error) {
      this.#options.failed(target, error);
      return invocationError(target, error);
    }
    if (type === 1 && method.answersStream) return refusedCall.needsStream(target);
    if (type === 4 && !method.answersStream) return refusedCall.answersNoStream(target);
    if (streamIds.length !== method.uploads)
      return refusedCall.uploads(target, streamIds.length, method.uploads);
    return null;
  }

  #refuse({ invocationId }: Call, error: string): void {
    if (invocationId !== undefined) this.#options.send({ type: 3, invocationId, error });
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return false;
  return typeof value[Symbol.asyncIterator] === 'function';
}
